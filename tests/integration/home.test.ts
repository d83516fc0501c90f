import { afterAll, expect, test } from "vitest";
import { type Browser, locationOf, newBrowser, readText } from "../support/client.ts";
import { anInvitation, anOrganization } from "../support/organizations.ts";
import { findAll, readPage, textOf } from "../support/page.ts";
import { aSignedInUser } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const DAY_MS = 86_400_000;

async function homeOf(browser: Browser, headers: Record<string, string> = {}) {
  const response = await browser.get("/app", { headers });
  expect(response.status).toBe(200);
  const html = await response.text();
  const { document } = readPage(html);
  return {
    text: readText(html),
    heading: textOf(document.querySelector("h1")),
    hasSetup: findAll(document, "button", "Dismiss").length > 0,
  };
}

/** Returns the titles of the cards of next steps, and where each leads. */
async function stepsOf(browser: Browser) {
  const { document } = readPage(await (await browser.get("/app")).text());
  const cards = document.querySelectorAll('main ul[aria-label="Next steps"] > li');
  return [...cards].map((card) => [
    textOf(card.querySelector("a")),
    card.querySelector("a")?.getAttribute("href"),
  ]);
}

test("a person without an organization is offered to create one, until they have one", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { language: "en" });
  const offered = ["Create an organization", "/app/organizations/new"];
  expect(await stepsOf(browser)).toContainEqual(offered);

  await anOrganization(gatehouse, {}, { members: [user] });

  expect(await stepsOf(browser)).not.toContainEqual(offered);
});

test("an owner alone in an organization is offered to invite, until somebody is invited", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { language: "en" });
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  await browser.submit("/app/active-organization", {
    intent: "organization",
    organization: organization.id,
  });
  const offered = [
    "Invite a colleague",
    `/app/organizations/${organization.slug}/invitations?invite`,
  ];
  expect(await stepsOf(browser)).toContainEqual(offered);

  await anInvitation(gatehouse, {
    organization_id: organization.id,
    inviter_id: user.id,
    email: "colleague@example.com",
  });

  expect(await stepsOf(browser)).not.toContainEqual(offered);
  const page = readPage(await (await browser.get("/app")).text());
  expect(page.linkTo("Invite people")).toBe(offered[1]);
});

test("cards offer what is missing, and disappear for a user who hides them", async () => {
  const { browser } = await aSignedInUser(gatehouse, { language: "en" });

  const home = await homeOf(browser);
  expect(home.text).toMatch(/Add a picture .* Add a passkey .* Dismiss/);

  const answer = await browser.submit("/app?index", { intent: "dismiss-setup" });
  expect(locationOf(answer)).toBe("/app");
  expect((await homeOf(browser)).hasSetup).toBe(false);

  const other = await aSignedInUser(gatehouse);
  other.browser.cookies.set("gatehouse.setup", browser.cookies.get("gatehouse.setup") ?? "");
  expect((await homeOf(other.browser)).hasSetup).toBe(true);
});

test("these cards disappear when all is done", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, {
    language: "en",
    avatar: crypto.randomUUID(),
  });
  expect((await homeOf(browser)).hasSetup).toBe(true);

  await gatehouse.d1
    .prepare(
      `INSERT INTO passkey (id, name, public_key, user_id, credential_id, counter, device_type, backed_up, created_at)
       VALUES (?1, 'Key', '', ?2, ?1, 0, 'multiDevice', 1, 1)`,
    )
    .bind(crypto.randomUUID(), user.id)
    .run();

  expect((await homeOf(browser)).hasSetup).toBe(false);
});

test("the greeting follows the time of day of the user's time zone", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { name: "Zuri" });
  const hourNow = new Date().getUTCHours();
  const headingAt = async (hour: number) => {
    // Etc/GMT-3 is three hours ahead of UTC.
    const ahead = ((hour - hourNow + 36) % 24) - 12;
    const timezone = `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
    const { heading } = await homeOf(browser, { "mf-cf-blob": JSON.stringify({ timezone }) });
    return heading;
  };
  expect(user.name).toBe("Zuri");

  expect((await homeOf(browser)).heading).toMatch(/^Hello, \P{L}?Zuri/u);
  expect(await headingAt(9)).toMatch(/^Good morning, \P{L}?Zuri/u);
  expect(await headingAt(15)).toMatch(/^Good afternoon, \P{L}?Zuri/u);
  expect(await headingAt(21)).toMatch(/^Good evening, \P{L}?Zuri/u);
});

test("a user without a name is greeted without one", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  await gatehouse.d1.prepare("UPDATE user SET name = '' WHERE id = ?").bind(user.id).run();

  expect((await homeOf(browser)).heading).toBe("Hello");
});

test("an unknown intent changes nothing", async () => {
  const { browser } = await aSignedInUser(gatehouse);

  const answer = await browser.submit("/app?index", { intent: "other" });

  expect(answer.status).toBe(400);
  expect((await homeOf(browser)).hasSetup).toBe(true);
});

test("an anonymous visitor is sent to the login screen", async () => {
  expect(locationOf(await newBrowser(gatehouse).get("/app"))).toBe("/login?redirect=%2Fapp");
});

/** Returns the name of the navigation's link to the organizations, which says whether something waits there. */
async function organizationsLink(browser: Browser) {
  const page = readPage(await (await browser.get("/app/account")).text());
  const link = page
    .findAll("link")
    .findLast((link) => link.getAttribute("href") === "/app/organizations");
  return textOf(link ?? null);
}

test("an invitation is told on home and in the navigation until it has expired or was answered", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  expect(await organizationsLink(browser)).not.toContain("Something waits for you");
  const { organization, ownerId } = await anOrganization(gatehouse);
  const own = { organization_id: organization.id, inviter_id: ownerId };
  const invitation = await anInvitation(gatehouse, { ...own, email: user.email });

  const page = readPage(await (await browser.get("/app")).text());
  expect(page.text()).toContain(`You are invited to join ${organization.name}`);
  expect(page.linkTo("View invitation")).toBe(`/invitations/${invitation.id}`);
  expect(await organizationsLink(browser)).toContain("Something waits for you");

  const update = (sql: string) =>
    gatehouse.d1.prepare(`UPDATE invitation SET ${sql} WHERE id = ?`).bind(invitation.id).run();
  await update("expires_at = 1");
  expect((await homeOf(browser)).text).not.toContain("You are invited");
  await update(`expires_at = ${Date.now() + DAY_MS}, status = 'rejected'`);
  expect((await homeOf(browser)).text).not.toContain("You are invited");
  expect(await organizationsLink(browser)).not.toContain("Something waits for you");
});

test.each([
  ["disabled", { disabled_at: Date.now() }],
  ["being deleted", { deletion_due_at: Date.now() + 6 * DAY_MS }],
])("an invitation of an organization that is %s is not told", async (_state, columns) => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization, ownerId } = await anOrganization(gatehouse, columns);
  const own = { organization_id: organization.id, inviter_id: ownerId };
  await anInvitation(gatehouse, { ...own, email: user.email });

  expect((await homeOf(browser)).text).not.toContain("You are invited");
  expect(await organizationsLink(browser)).not.toContain("Something waits for you");
});

test("an organization that is being deleted is told to its members only", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const leaving = { deletion_due_at: Date.now() + 6 * DAY_MS };
  const { organization } = await anOrganization(gatehouse, leaving, { members: [user] });
  const other = await anOrganization(gatehouse, leaving);

  const page = readPage(await (await browser.get("/app")).text());
  expect(page.text()).toContain(`${organization.name} is being deleted`);
  expect(page.linkTo("Open organization")).toBe(`/app/organizations/${organization.slug}`);
  expect(page.text()).not.toContain(other.organization.name);
  expect(await organizationsLink(browser)).toContain("Something waits for you");
});
