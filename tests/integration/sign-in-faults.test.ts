import { afterAll, expect, test } from "vitest";
import {
  addPasskey,
  newAuthenticator,
  optionsFor,
  signInWithPasskey,
} from "../support/authenticator.ts";
import { type Browser, locationOf, newBrowser } from "../support/client.ts";
import { faultsUpTo } from "../support/faults.ts";
import { startIdentityProvider } from "../support/oidc.ts";
import { aSignedInUser, askForCode, aUser, newEmail } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

// Tests what matters to a person when a database call of a sign-in fails: no session without its audit event, nothing
// twice, and the next try works at once.

/** More calls than any request here makes. */
const FAULTS = faultsUpTo(8);

/** One e-mail of `ADMIN_EMAILS` for each fault. */
const ADMINS = FAULTS.map((fault) => `boss-${fault.replace(" ", "-")}@example.com`);

const provider = await startIdentityProvider();
const gatehouse = await startGatehouse({
  vars: { ...provider.vars, ADMIN_EMAILS: ADMINS.join(",") },
});
gatehouse.tolerateErrors();
const { d1 } = gatehouse;
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

function withFault(fault: string): RequestInit {
  return { headers: { "x-d1-fault": fault } };
}

/** Rows that a sign-in writes, to be counted. */
const TRACES = {
  users: "user WHERE email = ?",
  accounts: "account JOIN user ON user.id = user_id WHERE user.email = ?",
  sessions: "session JOIN user ON user.id = user_id WHERE email = ?",
  signIns: `audit_event JOIN user ON user.id = target_id WHERE action = 'user.signed_in' AND email = ?`,
  mails: "mail_outbox WHERE kind = 'new-device' AND recipient = ?",
  methodMails: "mail_outbox WHERE kind = 'sign-in-method-added' AND recipient = ?",
  usedPasskeys: `passkey JOIN user ON user.id = user_id WHERE last_used_at IS NOT NULL AND email = ?`,
};

type Traces = Record<keyof typeof TRACES, number>;

/** Counts the rows of one user's sign-ins. */
async function tracesOf(email: string): Promise<Traces> {
  const count = async (from: string, ...values: string[]) =>
    (await d1
      .prepare(`SELECT count(*) AS n FROM ${from}`)
      .bind(...values)
      .first<number>("n")) ?? -1;
  const entries = Object.entries(TRACES).map(async ([name, from]) => [
    name,
    await count(from, email),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * Expects that every new session has its audit event, that a call made one session at most, and that nothing else was
 * written more often than a whole sign-in would.
 */
function expectSound(traces: Traces, before: Traces, most: Partial<Traces>): void {
  const news = (name: keyof Traces) => traces[name] - before[name];
  expect(news("signIns")).toBe(news("sessions"));
  for (const name of ["sessions", "users", "accounts", "mails", "usedPasskeys"] as const) {
    const isFew = news(name) <= ({ sessions: 1, ...most }[name] ?? 0);
    expect([name, news(name), isFew]).toEqual([name, news(name), true]);
  }
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await (await browser.get("/api/auth/get-session")).json()) !== null;
}

test.each(FAULTS.map((fault, index) => [fault, ADMINS[index] ?? ""]))(
  "a listed admin who enters a code survives a fault at call %s",
  async (fault, email) => {
    const enter = async (browser: Browser, otp: string, init?: RequestInit) => {
      const answer = await browser.api("/api/auth/sign-in/email-otp", { email, otp }, init);
      return [answer.status, await answer.json()];
    };
    const countPromotions = () =>
      d1
        .prepare(
          `SELECT (SELECT count(*) FROM user WHERE role = 'admin' AND email = ?1) AS admins, (SELECT count(*)
           FROM audit_event JOIN user ON user.id = target_id WHERE action = 'user.promoted' AND email = ?1) AS events`,
        )
        .bind(email)
        .first<{ admins: number; events: number }>();
    const browser = newBrowser(gatehouse);
    await askForCode(browser, email);
    const code = await gatehouse.mailbox.codeFor(email);
    const before = await tracesOf(email);

    const [status, answered] = await enter(browser, code, withFault(fault));

    const traces = await tracesOf(email);
    expectSound(traces, before, { users: 1 });
    expect(await isSignedIn(browser)).toBe(status === 200);
    const promoted = await countPromotions();
    expect(promoted?.events).toBe(promoted?.admins);
    if (promoted?.admins === 0) expect(answered).not.toMatchObject({ user: { role: "admin" } });
    if (traces.sessions > 0) {
      expect(await enter(newBrowser(gatehouse), code)).toMatchObject([
        400,
        { code: "INVALID_OTP" },
      ]);
    }

    const again = newBrowser(gatehouse);
    await askForCode(again, email);
    const next = await gatehouse.mailbox.codeFor(email);
    expect(await enter(again, next)).toMatchObject([200, { user: { role: "admin" } }]);
    expect(await countPromotions()).toEqual({ admins: 1, events: 1 });
  },
);

test.each(FAULTS)("asking for a passkey survives a fault at call %s", async (fault) => {
  const browser = newBrowser(gatehouse);
  const path = "/api/auth/passkey/generate-authenticate-options";

  const response = await browser.get(path, withFault(fault));

  if (response.status !== 200) {
    expect([response.status, await response.json()]).toMatchObject([
      503,
      { code: "DATABASE_UNAVAILABLE" },
    ]);
  }
  expect((await browser.get(path)).status).toBe(200);
});

test.each(FAULTS)("signing in with a passkey survives a fault at call %s", async (fault) => {
  const { user, browser: owner } = await aSignedInUser(gatehouse);
  const authenticator = newAuthenticator({ origin: gatehouse.origin, counter: 1 });
  expect((await addPasskey(owner, authenticator)).status).toBe(200);
  const browser = newBrowser(gatehouse);
  const { challenge } = await optionsFor(browser, "authenticate");
  const before = await tracesOf(user.email);
  const path = "/api/auth/passkey/verify-authentication";
  const assertion = { response: authenticator.get(challenge) };

  const response = await browser.api(path, assertion, withFault(fault));

  const traces = await tracesOf(user.email);
  expectSound(traces, before, { mails: 1, usedPasskeys: 1 });
  expect(await isSignedIn(browser)).toBe(response.status === 200);
  if (response.status === 200) {
    expect(traces.sessions).toBe(before.sessions + 1);
  } else {
    expect(response.status).toBe(503);
    // The same challenge again: it was spent, or nothing was written yet.
    const repeated = await browser.api(path, assertion);
    if (repeated.status !== 200) {
      expect([repeated.status, await repeated.json()]).toMatchObject([
        400,
        { code: "CHALLENGE_NOT_FOUND" },
      ]);
    }
    expect((await tracesOf(user.email)).sessions).toBeLessThanOrEqual(before.sessions + 1);
    expect((await signInWithPasskey(newBrowser(gatehouse), authenticator)).status).toBe(200);
  }
});

/** Signs in at the provider. Returns the path of the callback. */
async function visitProvider(browser: Browser, email: string): Promise<string> {
  provider.setVisitor({ email, name: "Sofía" });
  const pressed = await browser.submit("/login", { intent: "social", provider: "oidc" });
  const { pathname, search } = new URL(await provider.visit(pressed.headers.get("location") ?? ""));
  return pathname + search;
}

test.each(FAULTS)("pressing a provider's button survives a fault at call %s", async (fault) => {
  const browser = newBrowser(gatehouse);
  const form = { intent: "social", provider: "oidc" };

  const response = await browser.submit("/login", form, withFault(fault));

  const location = response.headers.get("location") ?? "";
  if (!location.startsWith(provider.issuer)) {
    expect(locationOf(response)).toBe("/login/error?error=unknown_error");
  }
  const again = await browser.submit("/login", form);
  expect(again.headers.get("location")).toContain(provider.issuer);
});

const CALLBACKS = {
  "whose account is linked": { accounts: 0, mails: 1, first: "/app" },
  "whose account is not linked yet": { accounts: 1, methodMails: 1, mails: 0, first: "/app" },
  "who is new": { accounts: 1, mails: 0, users: 1, first: "/onboarding" },
};

test.each(
  Object.entries(CALLBACKS).flatMap(([who, leaves], index) =>
    faultsUpTo(9, index).map((fault) => [who, fault, leaves] as const),
  ),
)("the callback for a user %s survives a fault at call %s", async (who, fault, leaves) => {
  const { first, ...added } = leaves;
  const email = who === "who is new" ? newEmail("new") : (await aUser(gatehouse)).email;
  if (who === "whose account is linked") {
    const linking = newBrowser(gatehouse);
    await linking.get(await visitProvider(linking, email));
  }
  const browser = newBrowser(gatehouse);
  const callback = await visitProvider(browser, email);
  const before = await tracesOf(email);

  const response = await browser.get(callback, withFault(fault));

  const traces = await tracesOf(email);
  expectSound(traces, before, added);
  const isIn = locationOf(response) === first;
  expect(await isSignedIn(browser)).toBe(isIn);
  if (isIn) {
    expect(traces.sessions).toBe(before.sessions + 1);
  } else {
    // Also an account that was linked before the fault is told to its owner.
    const isLinked = traces.accounts > before.accounts && who === "whose account is not linked yet";
    expect(traces.methodMails - before.methodMails).toBe(isLinked ? 1 : 0);
    expect(locationOf(response)).toMatch(/^\/login\/error\?error=/);
    const again = await browser.get(await visitProvider(browser, email));
    expect(locationOf(again)).toBe(first);
  }
});
