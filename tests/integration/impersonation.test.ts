import { afterAll, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import {
  accessibleError,
  type Browser,
  locationOf,
  newBrowser,
  readText,
  setCookieOf,
} from "../support/client.ts";
import { readPage } from "../support/page.ts";
import {
  anAdmin,
  aSignedInUser,
  aUser,
  impersonate,
  type Person,
  signIn,
} from "../support/people.ts";
import { RACE_ROUNDS } from "../support/thoroughness.ts";
import { startGatehouse } from "../support/worker.ts";

const COOKIE = "gatehouse.session_token";
const RETURN_COOKIE = "gatehouse.admin_session";
const STOP = "/stop-impersonating";
const API_STOP = "/api/auth/admin/stop-impersonating";
const HOUR_MS = 3_600_000;
const FAULTS = ["before", "after"].flatMap((moment) =>
  [1, 2, 3].map((call) => `${call} ${moment}`),
);

const gatehouse = await startGatehouse({ isProbed: true });
afterAll(() => gatehouse[Symbol.asyncDispose]());

function pathOf(id: string): string {
  return `/manager/users/${id}`;
}

type SessionRow = {
  id: string;
  token: string;
  user_id: string;
  impersonated_by: string | null;
  authenticated_at: number | null;
  created_at: number;
  expires_at: number;
};

async function sessionsOf(userId: string): Promise<SessionRow[]> {
  const { results } = await gatehouse.d1
    .prepare("SELECT * FROM session WHERE user_id = ? ORDER BY created_at, id")
    .bind(userId)
    .all<SessionRow>();
  return results;
}

function run(sql: string, ...values: (string | number)[]) {
  return gatehouse.d1
    .prepare(sql)
    .bind(...values)
    .run();
}

/** Returns the audit events about impersonations of a user. */
async function recordsOf(person: Person) {
  const events = await auditOf(gatehouse, person.id);
  return events.filter(({ action }) => action.startsWith("user.impersonat"));
}

/** Makes an admin who impersonates a user. */
async function anImpersonation(overrides: Partial<Person> = {}) {
  const { user: admin, browser } = await anAdmin(gatehouse);
  const own = browser.cookies.get(COOKIE);
  const person = await aUser(gatehouse, { name: "Zuri", ...overrides });
  const response = await impersonate(browser, person.id);
  expect(locationOf(response)).toBe("/app");
  return { admin, browser, own, person, response };
}

/** Follows a form's redirect and returns the page's path and text. */
async function readNext(browser: Browser, response: Response | Promise<Response>) {
  const page = await browser.follow(response);
  return { path: new URL(page.url).pathname, text: readText(await page.text()) };
}

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
  expect(page).toContain("Mona Manager is impersonating Zuri. 60 minutes left Stop");
  expect(page).toContain("Hello, Zuri");
  for (const name of [COOKIE, RETURN_COOKIE]) {
    const cookie = decodeURIComponent(browser.cookies.get(name) ?? "");
    expect(cookie).not.toContain(decodeURIComponent(own ?? "-").split(".")[0]);
  }
});

test("an impersonation sends no mail, records no sign-in and keeps the user's last visit", async () => {
  const { browser, person } = await anImpersonation({ last_seen_at: 5 });
  await browser.get("/app");
  await browser.get("/app/repositories");

  const { results: mails } = await gatehouse.d1
    .prepare("SELECT * FROM mail_outbox WHERE recipient = ?")
    .bind(person.email)
    .all();
  const row = await gatehouse.d1
    .prepare("SELECT last_seen_at FROM user WHERE id = ?")
    .bind(person.id)
    .first<Person>();
  expect(mails).toEqual([]);
  expect(row?.last_seen_at).toBe(5);
  const actions = (await auditOf(gatehouse, person.id)).map(({ action }) => action);
  expect(actions).not.toContain("user.signed_in");
});

test("stopping ends the session, restores the admin's own one, and is recorded once", async () => {
  const { admin, browser, own, person } = await anImpersonation();

  const response = await browser.submit(STOP, {});

  expect(locationOf(response)).toBe(pathOf(person.id));
  expect(browser.cookies.get(COOKIE)).toBe(own);
  expect(browser.cookies.has(RETURN_COOKIE)).toBe(false);
  expect(await sessionsOf(person.id)).toEqual([]);
  const { path, text } = await readNext(browser, response);
  expect(path).toBe(pathOf(person.id));
  expect(text).toContain("The impersonation has ended.");
  expect(text).not.toContain("is impersonating");
  expect(await recordsOf(person)).toMatchObject([
    { action: "user.impersonated", actorId: admin.id },
    { action: "user.impersonation_stopped", actorId: admin.id },
  ]);

  expect(locationOf(await browser.submit(STOP, {}))).toBe("/");
  expect(await recordsOf(person)).toHaveLength(2);
});

test.each([
  ["ended", "DELETE FROM session WHERE user_id = ?"],
  ["run out", "UPDATE session SET expires_at = 1 WHERE user_id = ?"],
])("stopping leads to the login screen when the admin's own session has %s", async (_, end) => {
  for (const stop of [
    (browser: Browser) => browser.submit(STOP, {}),
    (browser: Browser) => browser.submit("/sign-out", {}),
  ]) {
    const { admin, browser, person } = await anImpersonation();
    await run(end, admin.id);

    const { path, text } = await readNext(browser, stop(browser));

    expect(path).toBe("/login");
    expect(text).toContain("The impersonation has ended.");
    expect(await sessionsOf(person.id)).toEqual([]);
  }
});

test("stopping leads to the login screen when the return cookie is missing, forged or another admin's", async () => {
  for (const replace of [
    async () => undefined,
    async () => "forged",
    async () => (await anImpersonation()).browser.cookies.get(RETURN_COOKIE),
  ]) {
    const { browser, person } = await anImpersonation();
    const value = await replace();
    if (value === undefined) browser.cookies.delete(RETURN_COOKIE);
    else browser.cookies.set(RETURN_COOKIE, value);

    expect(locationOf(await browser.submit(STOP, {}))).toBe("/login");

    expect([browser.cookies.has(COOKIE), browser.cookies.has(RETURN_COOKIE)]).toEqual([
      false,
      false,
    ]);
    expect(await sessionsOf(person.id)).toEqual([]);
  }
});

test.each([
  ["banned", "UPDATE user SET banned = 1 WHERE id = ?"],
  ["demoted", "UPDATE user SET role = 'user' WHERE id = ?"],
  ["deleted", "DELETE FROM user WHERE id = ?"],
  ["in the grace period", "UPDATE user SET deletion_due_at = 1 WHERE id = ?"],
])("an impersonation ends with the next request when the admin is %s", async (_, change) => {
  const { admin, browser, person } = await anImpersonation();

  await run(change, admin.id);

  expect(await sessionsOf(person.id)).toEqual([]);
  expect(locationOf(await browser.get("/app"))).toBe("/login?redirect=%2Fapp");
  const stopped = await browser.follow(browser.submit(STOP, {}));
  expect(stopped.status).toBeLessThan(500);
  expect(browser.cookies.has(RETURN_COOKIE)).toBe(false);
});

test.each([
  ["the hour is up", "UPDATE session SET expires_at = 1 WHERE user_id = ?"],
  ["the session was ended", "DELETE FROM session WHERE user_id = ?"],
  ["the user was banned", "UPDATE user SET banned = 1 WHERE id = ?"],
])("when %s the next page leads back to the admin's own session", async (_, end) => {
  const { browser, own, person } = await anImpersonation();
  await run(end, person.id);

  expect(await (await browser.get("/api/auth/get-session")).json()).toBeNull();
  const { path, text } = await readNext(browser, browser.get("/app/repositories"));

  expect(path).toBe(pathOf(person.id));
  expect(text).toContain("The impersonation has ended.");
  expect(browser.cookies.get(COOKIE)).toBe(own);
  expect(browser.cookies.has(RETURN_COOKIE)).toBe(false);
});

test("a form posted after the hour changes nothing", async () => {
  const { admin, browser, person } = await anImpersonation({ name: "", onboarded_at: null });
  await run("UPDATE session SET expires_at = 1 WHERE user_id = ?", person.id);

  const { path } = await readNext(browser, browser.submit("/onboarding", { name: "Wrong" }));

  expect(path).toBe(pathOf(person.id));
  const { results } = await gatehouse.d1
    .prepare("SELECT name FROM user WHERE id IN (?, ?)")
    .bind(admin.id, person.id)
    .all<Person>();
  expect(results.map(({ name }) => name).sort()).toEqual(["", "Mona Manager"]);
});

test("the login screen leads back to the admin's session too, but not after signing out", async () => {
  const { browser, person } = await anImpersonation();
  browser.cookies.delete(COOKIE);

  expect(locationOf(await browser.get("/login"))).toBe(pathOf(person.id));
  await browser.submit("/sign-out", {});

  expect((await browser.get("/login")).status).toBe(200);
});

test("a leftover return cookie is dropped after another sign-in", async () => {
  const { browser } = await anImpersonation();
  const leftOver = browser.cookies.get(RETURN_COOKIE) ?? "";
  const other = await aUser(gatehouse);
  browser.cookies.delete(COOKIE);
  browser.cookies.delete(RETURN_COOKIE);
  await signIn(gatehouse, browser, other.email);
  browser.cookies.set(RETURN_COOKIE, leftOver);

  expect((await browser.get("/app")).status).toBe(200);
  expect(browser.cookies.has(RETURN_COOKIE)).toBe(false);
  await browser.submit("/sign-out", {});
  expect((await browser.get("/login")).status).toBe(200);
});

test("an admin who requests the code for deleting their account keeps impersonating", async () => {
  const { admin, browser, own, person } = await anImpersonation();
  await anAdmin(gatehouse);
  const tab = newBrowser(gatehouse);
  tab.cookies.set(COOKIE, own ?? "");

  const asked = await tab.submit("/manager/account", { intent: "request-deletion" });

  expect(locationOf(asked)).toBe("/manager/account/delete");
  expect(await sessionsOf(person.id)).toHaveLength(1);
  expect((await browser.get("/app")).status).toBe(200);
  const due = await gatehouse.d1
    .prepare("SELECT deletion_due_at FROM user WHERE id = ?")
    .bind(admin.id)
    .first("deletion_due_at");
  expect(due).toBeNull();
});

test("an impersonation cannot be prolonged", async () => {
  const { browser, person } = await anImpersonation();
  const [before] = await sessionsOf(person.id);
  await run(
    "UPDATE session SET updated_at = 1, expires_at = expires_at - 60000 WHERE user_id = ?",
    person.id,
  );

  const response = await browser.get("/app");
  await run("UPDATE session SET expires_at = expires_at + 9999999 WHERE user_id = ?", person.id);

  expect(setCookieOf(response, COOKIE)).toBeUndefined();
  const [after] = await sessionsOf(person.id);
  expect(after?.expires_at).toBe((before?.expires_at ?? 0) - 60_000);
});

test("the manager area is closed while impersonating, also when the user is promoted", async () => {
  const { browser, person } = await anImpersonation();

  for (const promoted of [false, true]) {
    if (promoted) await run("UPDATE user SET role = 'admin' WHERE id = ?", person.id);
    const answers = [
      await browser.get("/manager"),
      await browser.get("/manager/users"),
      await browser.get("/manager/users.data?_routes=routes%2Fmanager%2Fusers"),
      await browser.submit(pathOf(person.id), { intent: "delete" }),
      await impersonate(browser, person.id),
      await browser.get("/api/auth/admin/list-users"),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
    expect(readText((await answers[0]?.text()) ?? "")).toContain(
      "Mona Manager is impersonating Zuri",
    );
    const home = await (await browser.get("/app")).text();
    expect(home).not.toContain('href="/manager"');
  }
});

test("an impersonator cannot end the user's sessions; signing out ends only the impersonation", async () => {
  const { user: person, browser: theirs } = await aSignedInUser(gatehouse);
  const { browser } = await anAdmin(gatehouse);
  await impersonate(browser, person.id);

  for (const path of ["/api/auth/revoke-sessions", "/api/auth/revoke-other-sessions"]) {
    const response = await browser.api(path);
    expect([response.status, await response.json()]).toEqual([
      403,
      { code: "CLOSED_WHILE_IMPERSONATING" },
    ]);
  }
  expect(await sessionsOf(person.id)).toHaveLength(2);

  const out = await browser.api("/api/auth/sign-out");
  expect(await out.json()).toEqual({ url: pathOf(person.id), redirect: true });
  expect((await theirs.get("/app")).status).toBe(200);
  expect((await browser.get(pathOf(person.id))).status).toBe(200);
  const actions = (await auditOf(gatehouse, person.id)).map(({ action }) => action);
  expect(actions).toEqual([
    "user.created",
    "user.signed_in",
    "user.impersonated",
    "user.impersonation_stopped",
  ]);
});

test("the account screen refuses an impersonator's changes with a message", async () => {
  const { user: person, browser: theirs } = await aSignedInUser(gatehouse);
  const { browser } = await anAdmin(gatehouse);
  await impersonate(browser, person.id);
  const sessions = await sessionsOf(person.id);
  const forms: [path: string, fields: Record<string, string>][] = [
    ["/app/account", { intent: "revoke", session: sessions[0]?.id ?? "" }],
    ["/app/account", { intent: "revoke-others" }],
    ["/app/account", { intent: "revoke-all" }],
    ["/app/account", { intent: "change-name", name: "Somebody Else" }],
    ["/app/account", { intent: "change-email", email: "elsewhere@example.com" }],
    ["/app/account", { intent: "rename-passkey", passkey: "any", passkeyName: "Mine" }],
    ["/app/account", { intent: "remove-passkey", passkey: "any" }],
    ["/app/account", { intent: "link", provider: "oidc" }],
    ["/app/account", { intent: "unlink", account: "any" }],
    ["/app/account", { intent: "request-deletion" }],
    ["/app/account/delete", { intent: "verify", code: "123456" }],
    ["/app/account/picture", { intent: "remove" }],
    ["/app/account/confirm?next=%2Fapp", { intent: "resend" }],
  ];

  for (const [path, fields] of forms) {
    const response = await browser.submit(path, fields);
    expect(locationOf(response)).toBe(path);
    const { text } = await readNext(browser, response);
    expect(text).toContain("This is not available while impersonating.");
  }

  expect(await sessionsOf(person.id)).toEqual(sessions);
  const row = await gatehouse.d1
    .prepare("SELECT name, email, deletion_due_at, avatar FROM user WHERE id = ?")
    .bind(person.id)
    .first();
  expect(row).toEqual({
    name: person.name,
    email: person.email,
    deletion_due_at: null,
    avatar: null,
  });
  expect((await theirs.get("/app")).status).toBe(200);
});

test("stopping through the API answers the URL to go to, and refuses a session without impersonation", async () => {
  const { browser, own, person } = await anImpersonation();

  const stopped = await browser.api(API_STOP);
  const again = await browser.api(API_STOP);
  const anonymous = await newBrowser(gatehouse).api(API_STOP);

  expect([stopped.status, await stopped.json()]).toEqual([
    200,
    { url: pathOf(person.id), redirect: true },
  ]);
  expect(browser.cookies.get(COOKIE)).toBe(own);
  expect([again.status, await again.json()]).toEqual([400, { code: "NOT_IMPERSONATING" }]);
  expect([anonymous.status, await anonymous.json()]).toEqual([401, { code: "UNAUTHORIZED" }]);

  const ended = await anImpersonation();
  await run("DELETE FROM session WHERE user_id IN (?, ?)", ended.admin.id, ended.person.id);
  expect((await ended.browser.api(API_STOP)).status).toBe(200);
  expect(locationOf(await ended.browser.get("/manager"))).toBe("/login?redirect=%2Fmanager");
});

test.each(FAULTS)(
  "stopping through the API with a fault at call %s succeeds only when the session has ended",
  async (fault) => {
    gatehouse.tolerateErrors();
    const { browser, own, person } = await anImpersonation();

    const response = await browser.api(API_STOP, {}, { headers: { "x-d1-fault": fault } });

    if (response.status === 200) expect(await sessionsOf(person.id)).toEqual([]);
    else
      expect([response.status, await response.json()]).toEqual([
        503,
        { code: "SESSIONS_NOT_ENDED" },
      ]);
    expect(browser.cookies.get(COOKIE)).toBe(own);
  },
);

test("get-session names the impersonating admin and the end", async () => {
  const { admin, browser, person } = await anImpersonation();
  const [session] = await sessionsOf(person.id);

  const answer: unknown = await (await browser.get("/api/auth/get-session")).json();

  expect(answer).toMatchObject({
    user: { id: person.id, role: "user" },
    session: {
      impersonatedBy: admin.id,
      impersonation: {
        manager: "Mona Manager",
        endsAt: new Date(session?.expires_at ?? 0).toISOString(),
      },
    },
  });
});

test("an admin impersonates a user without a name, and cannot enter one", async () => {
  const { browser, person } = await anImpersonation({ name: "", onboarded_at: null });

  const { path, text } = await readNext(browser, browser.get("/app"));
  expect(path).toBe("/app");
  expect(text).toContain(`Mona Manager is impersonating ${person.email}.`);
  expect(text).toContain("This user has not entered a name yet. Only they can enter it.");
  expect((await browser.get("/app/repositories")).status).toBe(200);
  expect(locationOf(await browser.get("/onboarding"))).toBe("/app");

  const refused = await readNext(browser, browser.submit("/onboarding", { name: "Helped" }));

  expect(refused.path).toBe("/app");
  expect(refused.text).toContain("This is not available while impersonating.");
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
    [{ role: "admin" }, "You can't impersonate an admin."],
    [{ role: "user, admin" }, "You can't impersonate an admin."],
    [{ banned: 1 }, "You can't impersonate a banned user."],
    [{ banned: 1, ban_expires: Date.now() + HOUR_MS }, "You can't impersonate a banned user."],
  ];
  const people = await Promise.all(
    cases.map(async ([overrides, text]) => [await aUser(gatehouse, overrides), text] as const),
  );

  for (const [person, text] of [...people, [self, "You can't do this to yourself."] as const]) {
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
    expect(response.status).toBe(500);
    expect((await browser.get("/manager/dashboard")).status).toBe(200);
    expect(locationOf(await impersonate(browser, person.id))).toBe("/app");
  },
);

test.each([STOP, "/sign-out"].flatMap((path) => FAULTS.map((fault) => [path, fault] as const)))(
  "%s with a fault at call %s restores the admin's session, and warns when the other may still exist",
  async (path, fault) => {
    gatehouse.tolerateErrors();
    const { browser, own, person } = await anImpersonation();

    const response = await browser.submit(path, {}, { headers: { "x-d1-fault": fault } });

    const isLeft = (await sessionsOf(person.id)).length > 0;
    const toast = decodeURIComponent(browser.cookies.get("gatehouse.toast") ?? "");
    expect(toast).toMatch(isLeft ? /impersonation\.notEnded/ : /impersonation\.(ended|notEnded)/);
    expect(locationOf(response)).toBe(pathOf(person.id));
    expect(browser.cookies.get(COOKIE)).toBe(own);
    expect((await browser.get(pathOf(person.id))).status).toBe(200);
    expect((await recordsOf(person)).length).toBe((await sessionsOf(person.id)).length ? 1 : 2);
  },
);

test("an impersonation makes no extra query for a page", async () => {
  const { browser } = await anImpersonation();

  for (const path of ["/app", "/app/repositories", "/api/auth/get-session"]) {
    const response = await browser.get(path);
    expect(Number(response.headers.get("x-d1-calls"))).toBeLessThanOrEqual(2);
  }
  browser.cookies.delete(COOKIE);
  expect((await browser.get("/login")).headers.get("x-d1-calls")).toBe("0");
});

test("on an https origin the return cookie is Secure and bound to the host", async () => {
  await using secure = await startGatehouse({ vars: { BASE_URL: "https://gatehouse.example" } });
  const { browser } = await anAdmin(secure);
  const person = await aUser(secure);

  const response = await impersonate(browser, person.id);

  for (const name of [`__Host-${COOKIE}`, `__Host-${RETURN_COOKIE}`]) {
    expect(setCookieOf(response, name)).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  }
  expect((await browser.get("/app")).status).toBe(200);
});

test("the banner shows on error pages too, and pages without an impersonation make no query", async () => {
  const { browser } = await anImpersonation();
  const pages: [path: string, status: number][] = [
    ["/nowhere", 404],
    ["/app/repositories/unknown", 404],
    ["/manager", 403],
  ];
  for (const [path, status] of pages) {
    const response = await browser.get(path);
    expect(response.status).toBe(status);
    expect(readText(await response.text())).toContain("Mona Manager is impersonating Zuri");
  }
  await run("ALTER TABLE repository RENAME TO repository_away");
  gatehouse.expectErrors("request.failed");
  try {
    const response = await browser.get("/app/repositories/unknown");
    expect(response.status).toBe(500);
    expect(readText(await response.text())).toContain("Mona Manager is impersonating Zuri");
  } finally {
    await run("ALTER TABLE repository_away RENAME TO repository");
  }

  const anonymous = await newBrowser(gatehouse).get("/nowhere");
  expect(anonymous.headers.get("server-timing")).toContain("0 round trips");
});

test("the account screen says why it is closed, and a download redirects to it", async () => {
  const { browser } = await anImpersonation();
  const html = await (await browser.get("/app/account?state=change-name")).text();

  expect(readText(html)).toContain("Changes are turned off.");
  expect(html).not.toContain("<dialog");
  expect(locationOf(await browser.get("/app/account/data"))).toBe("/app/account");
});
