import { afterAll, expect, test } from "vitest";
import { alertsOf, locationOf } from "../../../../tests/support/client.ts";
import { anAdmin } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { finish, IMPORT, screenOf, sendLines, start, upload } from "./imports-of-users.ts";

// The harness fails when a request sends more statements than the free plan takes.
const gatehouse = await startGatehouse({ vars: { PLAN: "free" } });
afterAll(() => gatehouse[Symbol.asyncDispose]());

test("on the free plan an import takes a hundred lines, and says so", async () => {
  const { browser } = await anAdmin(gatehouse);
  const people = Array.from({ length: 101 }, (_, index) => [`free-${index}@example.com`]);

  expect((await screenOf(browser)).text).toContain(
    "This site is set up for Cloudflare's free plan (PLAN), which is for trying. An import takes up to 100 lines.",
  );
  const refused = await upload(browser, people.join("\n"));
  expect(alertsOf(await refused.text())[0]).toContain("more than 100 lines");

  const id = await sendLines(browser, people.slice(1));
  expect(locationOf(await start(browser, id, true))).toBe(IMPORT);
  await finish(gatehouse, id);
  expect((await screenOf(browser)).text).toContain("Created 100");
});
