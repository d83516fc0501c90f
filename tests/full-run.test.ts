import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

it("the full run of the browser tests can be listed: each of its tests has a title of its own", () => {
  const env = { ...process.env, GATEHOUSE_TESTS: "full" };
  const list = execFileSync("npx", ["playwright", "test", "--list"], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  expect(list).toMatch(/^Total: \d+ tests in \d+ files$/m);
}, 60_000);
