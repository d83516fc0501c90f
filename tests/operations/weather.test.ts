import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WEATHERS } from "../../scripts/weather/weathers.ts";

const SCRIPTS = join(import.meta.dirname, "../../scripts");

test("an unknown weather ends the command with the names of all", () => {
  const args = [join(SCRIPTS, "bootstrap.cjs"), join(SCRIPTS, "start.ts"), "--weather", "fog"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });

  expect(status).toBe(1);
  expect(stderr).toContain('There is no weather "fog"');
  for (const name of Object.keys(WEATHERS)) expect(stderr).toContain(`  ${name} `);
});
