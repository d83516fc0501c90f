import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { statements } from "../app/features/access/permissions.ts";
import { APP_TESTS } from "./support/app-tests.ts";

const ROOT = resolve(import.meta.dirname, "..");

test("the code asks for every permission of the table except user.set-password", () => {
  const sources = globSync("app/**/*.{ts,tsx}", { cwd: ROOT, exclude: APP_TESTS })
    .map((file) => readFileSync(join(ROOT, file), "utf8"))
    .join("\n");
  const asked = new Set(
    [...sources.matchAll(/"([a-zA-Z]+)",\s*"([a-z-]+)"/g)].map(([, resource, action]) =>
      [resource, action].join("."),
    ),
  );

  const unasked = Object.entries(statements)
    .flatMap(([resource, actions]) => actions.map((action) => `${resource}.${action}`))
    .filter((permission) => !asked.has(permission));
  expect(unasked).toEqual(["user.set-password"]);
});
