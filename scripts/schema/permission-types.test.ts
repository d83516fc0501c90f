import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { PERMISSION_TYPES, withPermissionTypes } from "./permission-types.ts";

const FILE = resolve(import.meta.dirname, "../..", PERMISSION_TYPES);

test("the types for other Workers have the permissions of the tables: run `npm run schema`", () => {
  const before = existsSync(FILE) ? readFileSync(FILE, "utf8") : withPermissionTypes("");

  expect(withPermissionTypes(before)).toBe(before);
  expect(before).toContain('| readonly ["user", "list"]');
  expect(before).toContain('| readonly ["member", "create"]');
});
