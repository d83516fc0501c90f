import { afterAll, expect, test } from "vitest";
import {
  accessibleError,
  locationOf,
  newBrowser,
  readText,
  setCookieOf,
} from "../support/client.ts";
import { FAULTS, impersonations, readNext } from "../support/impersonation.ts";
import { statementsOn } from "../support/insert.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, aSignedInUser, aUser, impersonate, type Person } from "../support/people.ts";
import { RACE_ROUNDS } from "../support/thoroughness.ts";
import { userPath as pathOf } from "../support/users.ts";
import { startGatehouse } from "../support/worker.ts";

const COOKIE = "gatehouse.session_token";
const RETURN_COOKIE = "gatehouse.admin_session";
const HOUR_MS = 3_600_000;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const { sessionsOf, recordsOf, anImpersonation } = impersonations(gatehouse);

const run = statementsOn(gatehouse);

test("an impersonation has a session of its own for an hour, and is recorded with its reason", async () => {
  const before = Date.now();
  const { admin, browser, own, person, response } = await anImpersonation();

  const [session, ...others] = await sessionsOf(person.id);
  expect(others).toEqual([]);
  expect(session).toMatchObject({ impersonated_by: admin.id, authenticated_at: 0 });
  expect(session?.expires_at).toBe((session?.created_at ?? 0) + HOUR_MS);
  expect(session?.created_at).toBeGreaterThanOrEqual(before);
  expect(setCookieOf(response, COOKIE)?.split("; ").slice(1).sort()).toEqual([
    "HttpOnly",
    "Max-Age=3600",
    "Path=/",
    "SameSite=Lax",
  ]);
  expect(setCookieOf(response, RETURN_COOKIE)).toMatch(/; HttpOnly; SameSite=Lax$/);
  expect(await sessionsOf(admin.id)).toHaveLength(1);
  expect(await recordsOf(person)).toEqual([
    {
      action: "user.impersonated",
      actorId: admin.id,
      details: { reason: "They cannot find their list" },
    },
  ]);
  const page = readText(await (await browser.get("/app")).text());
  expect(page).toContain("Mona Manager is impersonating Zuri");
  expect(page).toContain("60 minutes left Stop");
  expect(page).toContain("Hello, Zuri");
  for (const name of [COOKIE, RETURN_COOKIE]) {
    const cookie = decodeURIComponent(browser.cookies.get(name) ?? "");
    expect(cookie).not.toContain(decodeURIComponent(own ?? "-").split(".")[0]);
  }
});

test("an admin impersonates a user without a name, and cannot enter one", async () => {
  const { browser, person } = await anImpersonation({ name: "", onboarded_at: null });

  const { path, text } = await readNext(browser, browser.get("/app"));
  expect(path).toBe("/app");
  expect(text).toContain(`Mona Manager is impersonating ${person.email}`);
  expect(text).toContain("This user has not entered a name yet. Only they can enter it.");
  expect((await browser.get("/app/organizations")).status).toBe(200);
  expect(locationOf(await browser.get("/onboarding"))).toBe("/app");

  const refused = await readNext(browser, browser.submit("/onboarding", { name: "Helped" }));

  expect(refused.path).toBe("/app");
  expect(refused.text).toContain("This is not available while impersonating");
  const row = await gatehouse.d1
    .prepare("SELECT name, onboarded_at, version FROM user WHERE id = ?")
    .bind(person.id)
    .first();
  expect(row).toEqual({ name: "", onboarded_at: null, version: 1 });
});

test("a user with a name sees no notice that it is missing", async () => {
  const { browser } = await anImpersonation();

  const { text } = await readNext(browser, browser.get("/app"));

  expect(text).not.toContain("has not entered a name");
});

test.each([
  ["", "Reason is required"],
  [" \r\n ", "Reason is required"],
  ["x".repeat(501), "Must be at most 500 characters"],
])(
  "the reason %j is refused beside its field, in an open drawer that keeps it",
  async (reason, message) => {
    const { browser } = await anAdmin(gatehouse);
    const person = await aUser(gatehouse);

    const response = await impersonate(browser, person.id, reason);

    expect(response.status).toBe(400);
    const page = await response.text();
    expect(accessibleError(page, "impersonationReason")).toBe(message);
    expect(accessibleError(page, "reason")).toBeUndefined();
    const typed = readPage(page).field("impersonationReason")?.value;
    expect(typed?.trim()).toBe(reason.trim());
    // The other drawers stay closed.
    const drawers = readPage(page).findAll("alertdialog");
    expect(drawers.map((drawer) => drawer.hasAttribute("popover"))).toEqual([false, true, true]);
    expect(await sessionsOf(person.id)).toEqual([]);
    expect(await recordsOf(person)).toEqual([]);
  },
);

test("admins, oneself, banned users and unknown ids cannot be impersonated", async () => {
  const { user: self, browser } = await anAdmin(gatehouse);
  const once = await aUser(gatehouse, { banned: 1, ban_expires: Date.now() - 1_000 });
  const cases: [Partial<Person>, string][] = [
    [{ role: "admin" }, "You can't impersonate an admin"],
    [{ role: "user,admin" }, "You can't impersonate an admin"],
    [{ banned: 1 }, "You can't impersonate a banned user"],
    [{ banned: 1, ban_expires: Date.now() + HOUR_MS }, "You can't impersonate a banned user"],
  ];
  const people = await Promise.all(
    cases.map(async ([overrides, text]) => [await aUser(gatehouse, overrides), text] as const),
  );

  for (const [person, text] of [...people, [self, "You can't do this to yourself"] as const]) {
    const screen = await (await browser.get(pathOf(person.id))).text();
    expect(screen).not.toContain('value="impersonate"');
    expect((await readNext(browser, impersonate(browser, person.id))).text).toContain(text);
    expect(await recordsOf(person)).toEqual([]);
    expect((await sessionsOf(person.id)).filter((row) => row.impersonated_by)).toEqual([]);
  }
  expect((await impersonate(browser, crypto.randomUUID())).status).toBe(404);
  expect(browser.cookies.has(RETURN_COOKIE)).toBe(false);
  // An expired ban does not count.
  expect(locationOf(await impersonate(browser, once.id))).toBe("/app");
});

test("a user cannot impersonate", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const person = await aUser(gatehouse);

  expect((await impersonate(browser, person.id)).status).toBe(403);
  expect(await sessionsOf(person.id)).toEqual([]);
});

test.each([
  ["a promotion", "UPDATE user SET role = 'admin' WHERE id = ?"],
  ["a ban", "UPDATE user SET banned = 1 WHERE id = ?"],
] as const)("%s at the same moment leaves no impersonation with access", async (_, change) => {
  const { browser } = await anAdmin(gatehouse);
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const person = await aUser(gatehouse);
    const tab = newBrowser(gatehouse);
    tab.cookies.set(COOKIE, browser.cookies.get(COOKIE) ?? "");

    const [started] = await Promise.all([impersonate(tab, person.id), run(change, person.id)]);

    expect(started.status).toBe(302);
    const isStarted = tab.cookies.has(RETURN_COOKIE);
    expect(await recordsOf(person)).toHaveLength(isStarted ? 1 : 0);
    if (change.includes("banned")) expect(await sessionsOf(person.id)).toEqual([]);
    if (isStarted) expect((await tab.get("/manager")).status).not.toBe(200);
  }
});

test("a demotion of the admin at the same moment leaves no impersonation", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const { user: admin, browser } = await anAdmin(gatehouse);
    const person = await aUser(gatehouse);

    const [started] = await Promise.all([
      impersonate(browser, person.id),
      run("UPDATE user SET role = 'user' WHERE id = ?", admin.id),
    ]);

    expect(started.status).toBeLessThan(500);
    expect(await sessionsOf(person.id)).toEqual([]);
  }
}, 120_000);

test.each(FAULTS)(
  "a fault at call %s while starting keeps the admin signed in, and makes one record for each session",
  async (fault) => {
    gatehouse.tolerateErrors();
    const { browser } = await anAdmin(gatehouse);
    const person = await aUser(gatehouse);

    const response = await impersonate(browser, person.id, "Because", {
      headers: { "x-d1-fault": fault },
    });

    expect(await recordsOf(person)).toHaveLength((await sessionsOf(person.id)).length);
    if (response.status === 302) return;
    expect(response.status).toBe(503);
    expect((await browser.get("/manager/dashboard")).status).toBe(200);
    expect(locationOf(await impersonate(browser, person.id))).toBe("/app");
  },
);
