import { afterAll, expect, test } from "vitest";
import type { PanelFact } from "../../app/feature.ts";
import { selectMailsTo } from "../../app/features/mail/user-mails.server.ts";
import { findUserDetail } from "../../app/features/users/screen/user-page.server.ts";
import { SERVER_FEATURES } from "../../app/features.server.ts";
import { joined } from "../../app/features.ts";
import { newBrowser, readText } from "../support/client.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, aSignedInUser, aUser, signIn } from "../support/people.ts";
import { plansOf, wholeTableReads } from "../support/plans.ts";
import { userPath } from "../support/users.ts";
import { startGatehouse } from "../support/worker.ts";

const LIST = "/manager/users";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser: manager } = await anAdmin(gatehouse);

test("the page of a user without sessions, linked accounts, organizations and events draws no empty list", async () => {
  const { id } = await aUser(gatehouse);

  for (const tab of ["activity", "activity&side=by", "sessions", "emails"]) {
    const { document } = readPage(await (await manager.get(userPath(id, `?tab=${tab}`))).text());
    const lists = [...document.querySelectorAll("main ul, main ol")];
    expect(lists.filter((list) => list.children.length === 0)).toEqual([]);
  }
});

test("a user's tabs show events with actor and changes, sessions, and the mails to the user", async () => {
  const { user: person } = await aSignedInUser(gatehouse);
  await signIn(gatehouse, newBrowser(gatehouse), person.email);
  const { user: other } = await aSignedInUser(gatehouse);
  const fields = { name: "Renamed Person", email: person.email, role: "user", version: "1" };
  await manager.submit(userPath(person.id, "/update"), fields);
  const read = async (tab: string) =>
    readText(await (await manager.get(userPath(person.id, `?tab=${tab}`))).text());

  const activity = await read("activity");
  expect(activity).toContain("Account activity");
  expect(activity).toMatch(
    new RegExp(`User updated.*${person.name}.*Renamed Person.*${admin.name}`),
  );
  expect(await read("nothing")).toContain("Account activity");
  const sessions = await read("sessions");
  expect(sessions).toMatch(/Firefox on Linux.*Active in the last hour/);
  expect(sessions).toContain("Last seen in the last hour");
  const emails = await read("emails");
  expect(emails).toContain("Sign-in code");
  expect(emails).not.toContain(other.email);
  const audit = await read("activity&side=by");
  expect(audit).toContain("Actions by this user");
  expect(audit).toMatch(/Signed in \d+ \w+ \d{4}, \d\d:\d\d UTC Firefox on Linux/);
  expect(audit).not.toContain("User updated");
});

test("one screen above is led back to by an arrow; of two, an arrow stands only between them", async () => {
  const { id } = await aUser(gatehouse);
  const arrowsOn = async (path: string) => {
    const { document } = readPage(await (await manager.get(path)).text());
    const entries = document.querySelectorAll('nav[aria-label="Breadcrumb"] li');
    return [...entries].map((entry) => entry.querySelectorAll("svg").length);
  };

  expect(await arrowsOn(userPath(id))).toEqual([1]);
  expect(await arrowsOn(userPath(id, "/update"))).toEqual([0, 1]);
});

test("the notice of a ban names and links the manager of the newest ban, for readers of the audit log", async () => {
  const { id } = await aUser(gatehouse);
  const { user: other, browser: otherManager } = await anAdmin(gatehouse, { name: "Zuri Second" });
  const { browser: auditor } = await aSignedInUser(gatehouse, { role: "auditor" });
  const { browser: support } = await aSignedInUser(gatehouse, { role: "support" });
  const ban = (reason: string) => ({ intent: "ban", reason, duration: "forever" });
  const pageFor = async (browser = manager) =>
    readPage(await (await browser.get(userPath(id, "?tab=sessions"))).text());
  await manager.submit(userPath(id), ban("Spam"));
  expect((await pageFor()).text()).toContain(`Reason: Spam Banned by ${admin.name} · now`);
  await manager.submit(userPath(id), { intent: "unban" });
  expect((await pageFor()).text()).not.toContain("Banned by");

  await otherManager.submit(userPath(id), ban("Spam again"));

  const page = await pageFor(auditor);
  expect(page.text()).toContain("Reason: Spam again Banned by Zuri Second · now");
  expect(page.linkTo("Zuri Second")).toBe(userPath(other.id));
  const hidden = (await pageFor(support)).text();
  expect(hidden).toContain("Reason: Spam again");
  expect(hidden).not.toMatch(/Banned by|Zuri Second/);
  await gatehouse.d1.prepare("DELETE FROM user WHERE id = ?").bind(other.id).run();
  expect((await pageFor()).text()).toContain("Reason: Spam again Banned by an admin · now");
});

test("a ban without an event has a notice without a manager", async () => {
  const { id } = await aUser(gatehouse, { banned: 1, ban_reason: "Imported" });

  const page = readText(await (await manager.get(userPath(id))).text());

  expect(page).toContain("Banned permanently Reason: Imported");
  expect(page).not.toContain("Banned by");
});

/** What the features' panels in a user's page read. */
function panelsOf(id: string) {
  const reader = { id, timeZone: undefined, now: new Date(), search: new URLSearchParams() };
  const panels: Readonly<Record<string, PanelFact>> = joined("panels");
  return Object.entries(SERVER_FEATURES.panels).flatMap(([name, read]) =>
    panels[name]?.in === "userPage" ? [read(id, reader)] : [],
  );
}

test("a user's page finds everything by an index, and the events about the user by their target", async () => {
  const { id } = await aUser(gatehouse, { banned: 1 });

  const plans = await plansOf(gatehouse, (db) => {
    const mails = selectMailsTo(db, id, 0);
    return findUserDetail(db, id, {
      panels: panelsOf(id).map((read) => read.select(db)),
      tab: undefined,
      side: "about",
      mails,
      now: new Date(),
    });
  });

  expect(wholeTableReads(plans)).toEqual([]);
  const ofEvents = plans.filter((line) => / audit_event .*target/.test(line));
  expect(ofEvents).toHaveLength(3);
  expect(ofEvents).toEqual(
    ofEvents.map(() =>
      expect.stringMatching(/^SEARCH .*INDEX audit_event_target \(target_id=\?\)$/),
    ),
  );
});

test("a user's page contains no session token, and shows markup as text", async () => {
  const { user: person } = await aSignedInUser(gatehouse, {
    name: `<img src=x onerror="alert(1)">`,
  });
  const { results } = await gatehouse.d1
    .prepare("SELECT token FROM session WHERE user_id = ?")
    .bind(person.id)
    .all<{ token: string }>();

  for (const path of [
    userPath(person.id),
    `${userPath(person.id)}.data`,
    `${LIST}?searchTerm=onerror`,
  ]) {
    const page = await (await manager.get(path)).text();
    expect(page).toContain("onerror");
    expect(page).not.toContain(results[0]?.token);
    if (!path.endsWith(".data")) expect(page).not.toContain("<img src=x");
  }
});
