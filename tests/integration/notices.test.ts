import { afterAll, expect, test } from "vitest";
import { type Browser, locationOf, newBrowser } from "../support/client.ts";
import { anInvitation, anOrganization } from "../support/organizations.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, aSignedInUser, aUser, impersonate, openSession } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const PATH = "/app/notices";
const DAY_MS = 86_400_000;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

async function openNotices(browser: Browser, path = PATH) {
  const page = readPage(await (await browser.get(path)).text());
  const items = page
    .findAll("listitem")
    .map((item) => item.textContent.replace(/[\u2066-\u2069]/g, ""));
  return { page, items, text: page.text() };
}

/** Returns the name of the link to the notices, which says how many are new. */
async function bellOf(browser: Browser, path = "/app") {
  const page = readPage(await (await browser.get(path)).text());
  const [bell] = page
    .findAll("link")
    .filter((link) => link.getAttribute("href")?.endsWith("/notices"));
  return bell?.getAttribute("aria-label");
}

async function markRead(browser: Browser, path = PATH) {
  const { page } = await openNotices(browser, path);
  return browser.submit(path, { until: page.field("until")?.value ?? "" });
}

async function anInvited() {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization, ownerId } = await anOrganization(gatehouse);
  const own = { organization_id: organization.id, inviter_id: ownerId };
  const invitation = await anInvitation(gatehouse, { ...own, email: user.email });
  return { user, browser, organization, invitation };
}

test("without anything to attend to, the list says so and the bell has no number", async () => {
  const { browser } = await aSignedInUser(gatehouse);

  expect((await openNotices(browser)).text).toContain("Nothing needs your attention.");
  expect(await bellOf(browser)).toBe("Notifications");
});

test("a waiting invitation is a notice until it has expired or was answered", async () => {
  const { browser, organization, invitation } = await anInvited();

  expect(await bellOf(browser)).toBe("1 new notification");
  const { page, items } = await openNotices(browser);
  expect(items).toHaveLength(1);
  expect(items[0]).toContain(`You are invited to join ${organization.name}`);
  expect(items[0]).toContain("From Olga Owner.");
  expect(page.linkTo("View invitation")).toBe(`/invitations/${invitation.id}`);

  const update = (sql: string) =>
    gatehouse.d1.prepare(`UPDATE invitation SET ${sql} WHERE id = ?`).bind(invitation.id).run();
  await update("expires_at = 1");
  expect((await openNotices(browser)).items).toEqual([]);
  await update(`expires_at = ${Date.now() + DAY_MS}, status = 'rejected'`);
  expect((await openNotices(browser)).items).toEqual([]);
  expect(await bellOf(browser)).toBe("Notifications");
});

test.each([
  ["disabled", { disabled_at: Date.now() }],
  ["being deleted", { deletion_due_at: Date.now() + 6 * DAY_MS }],
])("an invitation of an organization that is %s is no notice", async (_state, columns) => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization, ownerId } = await anOrganization(gatehouse, columns);
  const own = { organization_id: organization.id, inviter_id: ownerId };
  await anInvitation(gatehouse, { ...own, email: user.email });

  expect(await bellOf(browser)).toBe("Notifications");
  expect((await openNotices(browser)).items).toEqual([]);
});

test("an organization that is disabled or being deleted is a notice for its members only", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const now = Date.now();
  const members = [user];
  const stopped = { disabled_at: now, disabled_reason: "The bills are open." };
  const { organization: disabled } = await anOrganization(gatehouse, stopped, { members });
  const leaving = { deletion_due_at: now + 6 * DAY_MS };
  const { organization: dying } = await anOrganization(gatehouse, leaving, { members });
  await anOrganization(gatehouse, stopped);

  expect(await bellOf(browser)).toBe("2 new notifications");
  const { page, items } = await openNotices(browser);
  expect(items).toHaveLength(2);
  expect(items[0]).toContain(`${disabled.name} has been disabled`);
  expect(items[0]).toContain("The bills are open.");
  expect(items[1]).toContain(`${dying.name} is being deleted`);
  expect(items[1]).toContain("yesterday");
  const targets = page
    .findAll("link", "Open organization")
    .map((link) => link.getAttribute("href"));
  expect(targets).toEqual([
    `/app/organizations/${disabled.slug}`,
    `/app/organizations/${dying.slug}`,
  ]);
});

test("a sign-in on another device is a notice there and not on that device's own list", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  await markReadNow(user.id);
  const other = newBrowser(gatehouse);
  await openSession(gatehouse, other, user.id);

  expect(await bellOf(browser)).toBe("1 new notification");
  const { page, items } = await openNotices(browser);
  expect(items).toHaveLength(1);
  expect(items[0]).toContain("New sign-in to your account");
  expect(items[0]).toContain("Firefox on Linux");
  expect(page.linkTo("Review devices")).toBe("/app/account");
  expect(await bellOf(other)).toBe("Notifications");

  await markRead(browser);
  expect((await openNotices(browser)).items).toEqual([]);
});

function markReadNow(userId: string) {
  return gatehouse.d1
    .prepare("UPDATE user SET notices_read_at = ? WHERE id = ?")
    .bind(Date.now() - 1, userId)
    .run();
}

test("marked as read, an invitation stays in the list and is no longer new", async () => {
  const { browser, user, organization } = await anInvited();
  expect((await openNotices(browser)).items[0]).toMatch(/New/);

  expect(locationOf(await markRead(browser))).toBe(PATH);

  const { page, items } = await openNotices(browser);
  expect(items).toHaveLength(1);
  expect(items[0]).not.toMatch(/New/);
  expect(page.find("button", "Mark all as read")).toBeUndefined();
  expect(await bellOf(browser)).toBe("Notifications");

  const { organization: later, ownerId } = await anOrganization(gatehouse);
  const own = { organization_id: later.id, inviter_id: ownerId };
  await anInvitation(gatehouse, { ...own, email: user.email });
  expect(await bellOf(browser)).toBe("1 new notification");
  const { items: both } = await openNotices(browser);
  expect(both[0]).toContain(later.name);
  expect(both[1]).toContain(organization.name);
});

test("what has come up after the list was opened stays new, and the future is not marked", async () => {
  const { user, browser } = await anInvited();
  const { page } = await openNotices(browser);
  const { organization, ownerId } = await anOrganization(gatehouse);
  const own = { organization_id: organization.id, inviter_id: ownerId, email: user.email };
  await anInvitation(gatehouse, { ...own, created_at: Date.now() + 1 });

  await browser.submit(PATH, { until: page.field("until")?.value ?? "" });
  expect(await bellOf(browser)).toBe("1 new notification");

  await browser.submit(PATH, { until: String(Date.now() + DAY_MS) });
  const readAt = await gatehouse.d1
    .prepare("SELECT notices_read_at AS at FROM user WHERE id = ?")
    .bind(user.id)
    .first<number>("at");
  expect(readAt).toBeLessThanOrEqual(Date.now());
  expect((await browser.submit(PATH, { until: "soon" })).status).toBe(400);
});

test("a manager who impersonates the user cannot mark the notices as read", async () => {
  const { user, browser } = await anInvited();
  const { browser: manager } = await anAdmin(gatehouse);
  await impersonate(manager, user.id);

  const { page } = await openNotices(manager);
  expect(page.find("button", "Mark all as read")).toBeUndefined();
  await manager.submit(PATH, { until: String(Date.now()) });

  // The impersonation is no sign-in of the user.
  expect(await bellOf(browser)).toBe("1 new notification");
});

test("the back-office has the same notices, and both lists are one round trip beside the session's", async () => {
  const { user, browser } = await anAdmin(gatehouse);
  const owner = await aUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner });
  const own = { organization_id: organization.id, inviter_id: owner.id };
  await anInvitation(gatehouse, { ...own, email: user.email });

  expect(await bellOf(browser, "/manager/users")).toBe("1 new notification");
  const { headers } = await browser.get("/manager/notices");
  expect(headers.get("x-d1-calls")).toBe("2");
  expect(locationOf(await markRead(browser, "/manager/notices"))).toBe("/manager/notices");
  expect(await bellOf(browser, "/manager/users")).toBe("Notifications");
});

test("the count reads few rows, whatever has expired or was answered", async () => {
  const { user, browser } = await anInvited();
  const rowsOf = async () => Number((await browser.get("/app")).headers.get("x-d1-rows-read"));
  const before = await rowsOf();
  const values = JSON.stringify(Array.from({ length: 300 }, (_, index) => index));
  await gatehouse.d1
    .prepare(
      `INSERT INTO session (id, token, user_id, expires_at, created_at, updated_at)
       SELECT ?1 || value, ?1 || value, ?1, 1, 1, 1 FROM json_each(?2)`,
    )
    .bind(user.id, values)
    .run();
  await markReadNow(user.id);

  expect(await rowsOf()).toBeLessThanOrEqual(before);
});
