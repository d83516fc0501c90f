import { afterAll, expect, test } from "vitest";
import { type Browser, locationOf, newBrowser } from "../support/client.ts";
import { anOrganization } from "../support/organizations.ts";
import { readPage } from "../support/page.ts";
import {
  anAdmin,
  aSignedInUser,
  aUserSignedInByCode,
  impersonate,
  signIn,
} from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const PATH = "/app/active-organization";
const UNKNOWN = crypto.randomUUID();

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

function choose(browser: Browser, organization: string, back = "/app/organizations") {
  return browser.submit(PATH, { intent: "organization", organization, back });
}

async function ownSession(browser: Browser) {
  const answer = await browser.get("/api/auth/get-session");
  return JSON.parse(await answer.text());
}

async function activeIn(browser: Browser) {
  const { activeOrganizationId, activeTeamId } = (await ownSession(browser)).session;
  return { organization: activeOrganizationId, team: activeTeamId };
}

function lastOf(userId: string) {
  return gatehouse.d1
    .prepare("SELECT last_organization_id AS last FROM user WHERE id = ?")
    .bind(userId)
    .first<string | null>("last");
}

function leave(userId: string, organizationId: string) {
  return gatehouse.d1
    .prepare("DELETE FROM member WHERE user_id = ? AND organization_id = ?")
    .bind(userId, organizationId)
    .run();
}

/** Makes a member of an organization who is signed in. */
async function aSignedInMember() {
  const { user, browser } = await aSignedInUser(gatehouse);
  const made = await anOrganization(gatehouse, {}, { members: [user] });
  return { user, browser, ...made };
}

test("an organization is made active in the session, shown, and unset again", async () => {
  const { user, browser, organization } = await aSignedInMember();
  expect(await activeIn(browser)).toEqual({ organization: null, team: null });

  expect(locationOf(await choose(browser, organization.id))).toBe("/app/organizations");
  expect(await activeIn(browser)).toEqual({ organization: organization.id, team: null });
  expect(await lastOf(user.id)).toBe(organization.id);
  const page = readPage(await (await browser.get("/app")).text());
  const [current, ...others] = page
    .findAll("button")
    .filter((button) => button.getAttribute("aria-current") === "true");
  expect(current?.textContent).toBe(organization.name);
  expect(others).toEqual([]);
  expect(page.find("button", `Organization: ${organization.name}`)).toBeDefined();

  await choose(browser, "");
  expect(await activeIn(browser)).toEqual({ organization: null, team: null });
  expect(await lastOf(user.id)).toBeNull();
});

test("lists and counts are no part of the session's answer", async () => {
  const { browser } = await aSignedInMember();

  const answer = await ownSession(browser);
  expect(Object.keys(answer)).toEqual(["session", "user"]);
  expect(JSON.stringify(answer)).not.toMatch(/organizations|invitations/i);
});

test("an organization of others is refused like an unknown one, and nothing changes", async () => {
  const { user, browser, organization } = await aSignedInMember();
  await choose(browser, organization.id);
  const { organization: foreign } = await anOrganization(gatehouse);

  for (const id of [foreign.id, "nothing-has-this"]) {
    const page = await browser.follow(choose(browser, id));
    expect(readPage(await page.text()).text()).toContain("Organization not found");
  }
  expect(await activeIn(browser)).toMatchObject({ organization: organization.id });
  expect(await lastOf(user.id)).toBe(organization.id);
});

test("the form leads back to pages of the product only", async () => {
  const { browser, organization } = await aSignedInMember();

  for (const back of ["https://example.com/app", "//example.com", "/login", ""]) {
    expect(locationOf(await choose(browser, organization.id, back))).toBe("/app");
  }
});

test("a removed member works in the organization no longer, on the next request", async () => {
  const { user, browser, organization } = await aSignedInMember();
  await choose(browser, organization.id);
  expect(await activeIn(browser)).toMatchObject({ organization: organization.id });

  await leave(user.id, organization.id);

  expect(await activeIn(browser)).toEqual({ organization: null, team: null });
  expect(await lastOf(user.id)).toBeNull();
  const page = readPage(await (await browser.get("/app")).text());
  expect(page.text()).not.toContain(organization.name);
});

test("a session that still names an organization does not open it to a former member", async () => {
  const { user, browser, organization } = await aSignedInMember();
  await leave(user.id, organization.id);
  await gatehouse.d1
    .prepare("UPDATE session SET active_organization_id = ?, active_team_id = ? WHERE user_id = ?")
    .bind(organization.id, UNKNOWN, user.id)
    .run();

  expect(await activeIn(browser)).toEqual({ organization: null, team: null });
});

test("the next sign-in starts with the last organization, unless the user has left it", async () => {
  const { user, browser } = await aUserSignedInByCode(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { members: [user] });
  await choose(browser, organization.id);

  const other = newBrowser(gatehouse);
  await signIn(gatehouse, other, user.email);
  expect(await activeIn(other)).toMatchObject({ organization: organization.id });

  await leave(user.id, organization.id);
  other.cookies.clear();
  await signIn(gatehouse, other, user.email);
  expect(await activeIn(other)).toMatchObject({ organization: null });
});

test("an impersonation starts without an organization and does not change the user's last one", async () => {
  const { user, browser, organization } = await aSignedInMember();
  const second = await anOrganization(gatehouse, {}, { members: [user] });
  await choose(browser, organization.id);
  const { browser: manager } = await anAdmin(gatehouse);
  await impersonate(manager, user.id);

  expect(await activeIn(manager)).toMatchObject({ organization: null });
  await choose(manager, second.organization.id);
  expect(await activeIn(manager)).toMatchObject({ organization: second.organization.id });
  await choose(manager, "");
  expect(await lastOf(user.id)).toBe(organization.id);
  expect(await activeIn(browser)).toMatchObject({ organization: organization.id });
});

test("a page of the app reads session, navigation and screen in a round trip each, a call the session alone", async () => {
  const { browser } = await aSignedInMember();
  const cost = async (path: string) => {
    // The first visit also writes when the user was seen.
    await (await browser.get(path)).arrayBuffer();
    const { headers } = await browser.get(path);
    return [Number(headers.get("x-d1-calls")), Number(headers.get("x-d1-rows-read"))] as const;
  };

  const [calls, rows] = await cost("/app");
  expect(calls).toBe(3);
  const [apiCalls, apiRows] = await cost("/api/auth/get-session");
  expect(apiCalls).toBe(1);
  expect(apiRows).toBeLessThan(rows);
  expect(rows).toBeLessThan(60);
});
