import { afterAll, expect, test } from "vitest";
import { ROW_BOUNDS } from "../../../../bench/bounds.ts";
import type { Browser } from "../../../../tests/support/client.ts";
import { insertRows } from "../../../../tests/support/insert.ts";
import { openList } from "../../../../tests/support/lists.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { aSignedInUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

function choose(browser: Browser, organization: string) {
  const fields = { intent: "organization", organization, back: "/app/repositories" };
  return browser.submit("/app/active-organization", fields);
}

/** Makes a member of an organization who is signed in. */
async function aSignedInMember() {
  const { user, browser } = await aSignedInUser(gatehouse);
  const made = await anOrganization(gatehouse, {}, { members: [user] });
  return { user, browser, ...made };
}

test("the active organization filters the repositories: list, total, search and order", async () => {
  const { browser, organization } = await aSignedInMember();
  const names = Array.from(
    { length: 45 },
    (_, index) => `shared ${String(index).padStart(2, "0")}`,
  );
  const rows = [...names, "other one", "shared elsewhere"].map((name, index) => ({
    id: crypto.randomUUID(),
    name,
    name_key: `${organization.id} ${name}`,
    link: "https://a.bc/",
    search_key: name,
    created_at: index,
    updated_at: 1_000 - index,
  }));
  await insertRows(gatehouse.d1, "repository", rows);
  await insertRows(
    gatehouse.d1,
    "organization_repository",
    rows.slice(0, 45).map(({ id }) => ({
      organization_id: organization.id,
      repository_id: id,
      created_at: 1,
    })),
  );
  await choose(browser, organization.id);

  const first = await openList(browser, "/app/repositories");
  expect(first.text).toContain(`Shared with ${organization.name}.`);
  expect(first.text).toContain("Showing 20 of 45");
  expect(first.ids).toEqual(rows.slice(0, 20).map(({ id }) => id));
  const all = await openList(browser, "/app/repositories?pages=3&sort=name&direction=desc");
  expect(all.ids).toEqual(
    rows
      .slice(0, 45)
      .map(({ id }) => id)
      .reverse(),
  );
  const found = await openList(browser, "/app/repositories?searchTerm=shared+1");
  expect(found.text).toContain('10 results for "shared 1"');
  const short = await openList(browser, "/app/repositories?searchTerm=sh");
  expect(short.text).toContain('45 results for "sh"');
  const elsewhere = await openList(browser, "/app/repositories?searchTerm=elsewhere");
  expect(elsewhere.ids).toEqual([]);

  await choose(browser, "");
  const personal = await openList(browser, "/app/repositories?searchTerm=elsewhere");
  expect(personal.ids).toEqual([rows.at(-1)?.id]);
  expect(personal.text).not.toContain("Shared with");
});

test("the repositories of an organization are read within the budget among many others", async () => {
  const { browser, organization } = await aSignedInMember();
  const rows = Array.from({ length: 3_000 }, (_, index) => ({
    id: crypto.randomUUID(),
    name: `crowd ${index}`,
    name_key: `crowd ${index}`,
    link: "https://a.bc/",
    search_key: `crowd ${index}`,
    created_at: index,
    updated_at: index,
  }));
  await insertRows(gatehouse.d1, "repository", rows);
  const shared = rows.slice(0, 30).map(({ id }) => ({
    organization_id: organization.id,
    repository_id: id,
    created_at: 1,
  }));
  await insertRows(gatehouse.d1, "organization_repository", shared);
  await choose(browser, organization.id);

  for (const search of ["", "?searchTerm=crowd", "?searchTerm=cr", "?sort=name&direction=asc"]) {
    const { headers } = await browser.get(`/app/repositories${search}`);
    expect([search, headers.get("x-d1-calls")]).toEqual([search, "3"]);
    // For a term the full-text index of all repositories is looked into, up to a limit.
    const most = search.includes("searchTerm") ? ROW_BOUNDS.everyday : 500;
    expect([search, Number(headers.get("x-d1-rows-read")) <= most]).toEqual([search, true]);
  }
});
