import { afterAll, expect, test } from "vitest";
import { alertsOf, type Browser, locationOf, newBrowser, readText } from "../support/client.ts";
import { faultsUpTo } from "../support/faults.ts";
import { readPage } from "../support/page.ts";
import {
  aSignedInUser,
  askForCode,
  aUser,
  enterCode,
  newEmail,
  signIn,
} from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const say = translationsIn("en");

/** More calls than any request makes. */
const FAULTS = faultsUpTo(14);

const gatehouse = await startGatehouse();
gatehouse.tolerateErrors();
afterAll(() => gatehouse[Symbol.asyncDispose]());

function withFault(fault: string): RequestInit {
  return { headers: { "x-d1-fault": fault } };
}

function count(sql: string, ...values: string[]): Promise<number> {
  return gatehouse.d1
    .prepare(`SELECT count(*) AS n FROM ${sql}`)
    .bind(...values)
    .first<number>("n")
    .then((n) => n ?? -1);
}

/** Expects a 5xx response with a message and without internal details. */
async function expectExcuse(response: Response): Promise<void> {
  expect(response.status).toBeGreaterThanOrEqual(500);
  const page = await response.text();
  expect(page).not.toMatch(/D1_ERROR|Network connection lost|\bat .+:\d+:\d+/);
  expect(readText(page)).toMatch(/\p{L}/u);
}

test("an injected fault fails a request", async () => {
  const { browser } = await aSignedInUser(gatehouse);

  expect((await browser.get("/app", withFault("1 before"))).status).toBe(503);
  expect((await browser.get("/app", withFault("1 after"))).status).toBe(503);
});

test.each(FAULTS)("asking for a code survives a fault at call %s", async (fault) => {
  const email = newEmail();
  const browser = newBrowser(gatehouse);

  const response = await browser.submit("/login", { intent: "email", email }, withFault(fault));

  if (response.status === 302) {
    expect(await count("mail_outbox WHERE recipient = ?", email)).toBe(1);
    await gatehouse.mailbox.codeFor(email);
  } else {
    expect(response.status).toBeGreaterThanOrEqual(500);
    expect(alertsOf(await response.text())).toHaveLength(1);
    // A mail may be queued although the request failed: the cron sends it, and the next code replaces its code.
    await gatehouse.d1.prepare("DELETE FROM mail_outbox WHERE recipient = ?").bind(email).run();
  }
  await askForCode(browser, email);
  const code = await gatehouse.mailbox.codeFor(email);
  expect(locationOf(await enterCode(browser, email, code))).toBe("/onboarding");
});

test.each(FAULTS)("entering a code survives a fault at call %s", async (fault) => {
  const people = [
    { email: newEmail("visitor"), first: "/onboarding" },
    { email: (await aUser(gatehouse)).email, first: "/app" },
  ];
  for (const { email, first } of people) {
    const browser = newBrowser(gatehouse);
    await askForCode(browser, email);
    const code = await gatehouse.mailbox.codeFor(email);
    const verify = `/login/verify?email=${encodeURIComponent(email)}`;

    const response = await browser.submit(verify, { intent: "verify", code }, withFault(fault));

    expect(await count("user WHERE email = ?", email)).toBeLessThanOrEqual(1);
    if (response.status === 302) {
      expect(locationOf(response)).toBe(first);
    } else {
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(alertsOf(await response.text()).length).toBeGreaterThan(0);
      const again = await enterCode(browser, email, code);
      if (again.status !== 302) {
        await askForCode(browser, email);
        const next = await gatehouse.mailbox.codeFor(email);
        expect(locationOf(await enterCode(browser, email, next))).toBe(first);
      }
    }
    const session = await (await browser.get("/api/auth/get-session")).text();
    expect(JSON.parse(session)).toMatchObject({ user: { email } });
    expect(await count("user WHERE email = ?", email)).toBe(1);
  }
});

test.each(FAULTS.filter((fault) => Number.parseInt(fault, 10) < 4))(
  "giving a name survives a fault at call %s, with one audit record",
  async (fault) => {
    const { user, browser } = await aSignedInUser(gatehouse, { name: "", onboarded_at: null });

    const response = await browser.submit("/onboarding", { name: "Zuri" }, withFault(fault));
    if (response.status !== 302) {
      await expectExcuse(response);
      expect(locationOf(await browser.submit("/onboarding", { name: "Zuri" }))).toBe("/app");
    }

    expect(readText(await (await browser.get("/app")).text())).toContain("Hello, Zuri");
    expect(
      await count("audit_event WHERE action = 'user.onboarded' AND target_id = ?", user.id),
    ).toBe(1);
  },
);

/** More calls than ending a session makes. */
const FIRST_FAULTS = FAULTS.filter((fault) => Number.parseInt(fault, 10) < 5);
const COOKIE = "gatehouse.session_token";

/** Makes a browser with a copy of another one's session cookie. */
function copyOf(browser: Browser): Browser {
  const copy = newBrowser(gatehouse);
  copy.cookies.set(COOKIE, browser.cookies.get(COOKIE) ?? "");
  return copy;
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await (await browser.get("/api/auth/get-session")).json()) !== null;
}

function recordsOf(userId: string, action: string): Promise<number> {
  return count("audit_event WHERE target_id = ? AND action = ?", userId, action);
}

test.each(FIRST_FAULTS)(
  "the screen says signed out only when the session has ended on the server, with a fault at call %s",
  async (fault) => {
    const { user, browser } = await aSignedInUser(gatehouse);
    const copy = copyOf(browser);

    const response = await browser.submit("/sign-out", {}, withFault(fault));

    expect(locationOf(response)).toBe("/login");
    expect(browser.cookies.has(COOKIE)).toBe(false);
    const page = readText(await (await browser.follow(response)).text());
    const isAlive = await isSignedIn(copy);
    expect(await recordsOf(user.id, "user.signed_out")).toBe(isAlive ? 0 : 1);
    if (isAlive) expect(page).toContain(say("common:notSignedOut"));
    expect(page).toMatch(/You have been signed out\.|You are signed out in this browser only\./);
    expect(locationOf(await browser.get("/app"))).toBe("/login?redirect=%2Fapp");
  },
);

const REVOCATIONS = {
  "/sign-out": { action: "user.signed_out", leaves: "others" },
  "/revoke-sessions": { action: "session.revoked_all", leaves: "none" },
  "/revoke-other-sessions": { action: "session.revoked_others", leaves: "this" },
} as const;

test.each(
  Object.entries(REVOCATIONS).flatMap(([path, row], index) =>
    faultsUpTo(4, index).map((fault) => [path, fault, row] as const),
  ),
)(
  "%s succeeds only when the sessions have ended, with a fault at call %s",
  async (path, fault, { action, leaves }) => {
    const { user, browser } = await aSignedInUser(gatehouse);
    const other = newBrowser(gatehouse);
    await signIn(gatehouse, other, user.email);
    const copy = copyOf(browser);
    const doomed = { others: [copy], none: [copy, other], this: [other] }[leaves];

    const response = await browser.api(`/api/auth${path}`, {}, withFault(fault));

    const answers = await Promise.all(doomed.map(isSignedIn));
    const areAlive = answers.includes(true);
    expect(await recordsOf(user.id, action)).toBe(areAlive ? 0 : 1);
    if (response.status === 200) {
      expect(areAlive).toBe(false);
    } else {
      expect([response.status, await response.json()]).toMatchObject([
        503,
        { code: "SESSIONS_NOT_ENDED" },
      ]);
    }
    expect(browser.cookies.has(COOKIE)).toBe(
      path === "/sign-out" ? false : leaves === "this" || response.status !== 200,
    );
  },
);

test.each(
  ["revoke", "revoke-others", "revoke-all"].flatMap((intent) =>
    ["2 before", "2 after"].map((fault) => [intent, fault]),
  ),
)(
  "the account screen's %s warns when sessions may not have ended, with a fault at call %s",
  async (intent, fault) => {
    const { user, browser } = await aSignedInUser(gatehouse);
    const other = newBrowser(gatehouse);
    await signIn(gatehouse, other, user.email);
    const [session = ""] = await sessionIdsOf(user.id);

    const response = await browser.submit("/app/account", { intent, session }, withFault(fault));

    expect(locationOf(response)).toBe("/app/account");
    const toasts = browser.cookies.get("gatehouse.toast") ?? "";
    expect(decodeURIComponent(toasts)).toContain('"message":"codes:SESSIONS_NOT_ENDED"');
    const isAlive = (await sessionIdsOf(user.id)).length === 2;
    expect(isAlive).toBe(fault === "2 before");
    expect(
      await count("audit_event WHERE target_id = ? AND action LIKE 'session.%'", user.id),
    ).toBe(isAlive ? 0 : 1);
  },
);

async function sessionIdsOf(userId: string): Promise<string[]> {
  const { results } = await gatehouse.d1
    .prepare("SELECT id FROM session WHERE user_id = ? ORDER BY created_at DESC")
    .bind(userId)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

test.each([
  ["GET", "/get-session"],
  ["GET", "/passkey/generate-register-options"],
  ["POST", "/link-social"],
  ["POST", "/delete-user"],
  ["POST", "/admin/stop-impersonating"],
])("%s %s answers an error code when the session cannot be read", async (method, path) => {
  const { browser } = await aSignedInUser(gatehouse);
  const body = method === "POST" ? JSON.stringify({ provider: "github" }) : undefined;
  const headers = { "content-type": "application/json", "x-d1-fault": "1 before" };

  const response = await browser.request(`/api/auth${path}`, { method, body, headers });

  expect([response.status, await response.json()]).toMatchObject([
    503,
    { code: "DATABASE_UNAVAILABLE" },
  ]);
});

test.each(["1 before", "1 after", "2 before", "2 after"])(
  "a read with a fault at call %s shows an error, and works when tried again",
  async (fault) => {
    const { browser } = await aSignedInUser(gatehouse, { role: "admin" });
    for (const path of ["/app", "/manager/dashboard", "/api/auth/get-session"]) {
      const response = await browser.get(path, withFault(fault));
      if (response.status !== 200) await expectExcuse(response);
      expect((await browser.get(path)).status).toBe(200);
    }
  },
);

test.each([
  ["/manager/users", "?searchTerm=ada&role=admin&sort=name&direction=asc", 2],
  ["/manager/organizations", "?searchTerm=ada&sort=name&direction=asc", 2],
  ["/manager/audit", "", 2],
  ["/manager/mail", "", 2],
] as const)(
  "when the list of %s cannot be read, the screen stays and offers Retry",
  async (path, search, call) => {
    const { browser } = await aSignedInUser(gatehouse, { role: "admin" });

    for (const moment of ["before", "after"]) {
      const response = await browser.get(path + search, withFault(`${call} ${moment}`));

      expect(response.status).toBe(503);
      const page = await response.text();
      expect(alertsOf(page)).toEqual([
        `${say("common:errors.silent")} ${say("common:errors.silentText")}`,
      ]);
      expect(readPage(page).linkTo("Retry")).toBe(path + search);
      // The form keeps the search, the order and the filters.
      for (const [name, value] of new URLSearchParams(search)) {
        expect(readPage(page).field(name)?.value).toBe(value);
      }
      expect(page).not.toMatch(/D1_ERROR|Network connection lost|No Data|No results/);
    }
    expect((await browser.get(path + search)).status).toBe(200);
  },
);

test("the login screen shows when the session cannot be read", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  for (const path of ["/login", "/login/error"]) {
    const response: Response = await ask(browser, path);
    expect(response.status).toBe(200);
  }
});

function ask(browser: Browser, path: string): Promise<Response> {
  return browser.get(path, withFault("1 before"));
}
