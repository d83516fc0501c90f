import { afterAll, expect, test } from "vitest";
import { alertsOf } from "../../../../tests/support/client.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { aSignedInUser } from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";

const gatehouse = await startGatehouse();
gatehouse.tolerateErrors();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const say = translationsIn("en");

test.each([
  ["/manager/repositories", "?searchTerm=ada&sort=name&direction=asc", 2],
  // The second call reads the navigation.
  ["/app/repositories", "?searchTerm=ada", 3],
] as const)(
  "when the list of %s cannot be read, the screen stays and offers Retry",
  async (path, search, call) => {
    const { browser } = await aSignedInUser(gatehouse, { role: "admin" });

    for (const moment of ["before", "after"]) {
      const fault = { headers: { "x-d1-fault": `${call} ${moment}` } };
      const response = await browser.get(path + search, fault);

      expect(response.status).toBe(503);
      const page = await response.text();
      expect(alertsOf(page)).toEqual([
        `${say("common:errors.silent")} ${say("common:errors.silentText")}`,
      ]);
      expect(readPage(page).linkTo("Retry")).toBe(path + search);
      for (const [name, value] of new URLSearchParams(search)) {
        expect(readPage(page).field(name)?.value).toBe(value);
      }
      expect(page).not.toMatch(/D1_ERROR|Network connection lost|No Data|No results/);
    }
    expect((await browser.get(path + search)).status).toBe(200);
  },
);
