import { afterAll, expect, test } from "vitest";
import { newBrowser } from "../../../../tests/support/client.ts";
import { anAdmin, aSignedInUser, manyUsers } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { anOrganizationWithTeams } from "./teams.ts";

/** Rows that a page of an organization with 100 members, 20 teams and 100 invitations may read. */
const MOST_ROWS = 600;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user, browser: plain } = await aSignedInUser(gatehouse);
const { user: admin, browser: manager } = await anAdmin(gatehouse);
const others = await manyUsers(
  gatehouse,
  Array.from({ length: 98 }, () => ({})),
);
const { organization, teams } = await anOrganizationWithTeams(
  gatehouse,
  {},
  {
    owner: user,
    admins: [admin],
    members: others,
    teams: Array.from({ length: 19 }, (_, index) => `Team ${index}`),
    invitations: Array.from({ length: 100 }, () => ({})),
  },
);
const path = `/app/organizations/${organization.slug}`;

test.each([...["", "/members", "/invitations", "/teams"], `/teams/${teams[0]?.id}`])(
  "the page %s of an organization with 20 teams reads a few rows for each",
  async (part) => {
    const response = await plain.get(path + part);
    await response.arrayBuffer();

    const rows = Number(response.headers.get("x-d1-rows-read"));
    expect([response.status, rows, rows <= MOST_ROWS]).toEqual([200, rows, true]);
  },
);

test("a team's page makes at most three database calls, and none for an anonymous visitor", async () => {
  // An isolate reads a manager's rules at most twice a minute.
  await (await manager.get("/manager")).arrayBuffer();
  const callsOf = async (browser = newBrowser(gatehouse)) => {
    const response = await browser.get(`${path}/teams/${teams[0]?.id}`);
    await response.arrayBuffer();
    return Number(response.headers.get("x-d1-calls"));
  };

  expect(await callsOf(plain)).toBeLessThanOrEqual(3);
  expect(await callsOf(manager)).toBeLessThanOrEqual(3);
  expect(await callsOf()).toBe(0);
});
