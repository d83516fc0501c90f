import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const built = resolve(import.meta.dirname, "../../build/server/wrangler.json");

test("the build fetches through the public internet, so no webhook passes by the own zone's firewall", () => {
  const { compatibility_flags } = JSON.parse(readFileSync(built, "utf8"));

  expect(compatibility_flags).toContain("global_fetch_strictly_public");
});
