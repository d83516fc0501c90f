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
import { aSignedInUser, aUser, newEmail } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

// Tests that signing in with a passkey or a provider writes everything or nothing when a database call fails.

const provider = await startIdentityProvider();
const gatehouse = await startGatehouse({ vars: provider.vars });
gatehouse.tolerateErrors();
const { d1 } = gatehouse;
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

/** More calls than any request here makes. */
const FAULTS = faultsUpTo(6);

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
  usedPasskeys: `passkey JOIN user ON user.id = user_id WHERE last_used_at IS NOT NULL AND email = ?`,
};

type Traces = Record<keyof typeof TRACES | "proofs", number>;

/** Counts the rows of one user's sign-ins, and all challenges and states. */
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
  return {
    ...Object.fromEntries(await Promise.all(entries)),
    proofs: await count("verification"),
  };
}

/** Returns the expected counts after a complete sign-in. */
function after(before: Traces, changes: Partial<Traces>): Traces {
  const { sessions, signIns, proofs } = before;
  return {
    ...before,
    sessions: sessions + 1,
    signIns: signIns + 1,
    proofs: proofs - 1,
    ...changes,
  };
}

/**
 * Expects all rows or none; only the mail about a new device may be missing, because a sign-in does not depend on it.
 */
function expectAllOrNothing(traces: Traces, before: Traces, whole: Traces): void {
  expect([before, whole, { ...whole, mails: before.mails }]).toContainEqual(traces);
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await (await browser.get("/api/auth/get-session")).json()) !== null;
}

test.each(FAULTS)("asking for a passkey survives a fault at call %s", async (fault) => {
  const browser = newBrowser(gatehouse);
  const path = "/api/auth/passkey/generate-authenticate-options";

  const response = await browser.get(path, withFault(fault));

  if (response.status !== 200) {
    expect([response.status, await response.json()]).toMatchObject([
      500,
      { code: "UNKNOWN_ERROR" },
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

  const response = await browser.api(
    "/api/auth/passkey/verify-authentication",
    { response: authenticator.get(challenge) },
    withFault(fault),
  );

  const traces = await tracesOf(user.email);
  const whole = after(before, { mails: 1, usedPasskeys: 1 });
  expectAllOrNothing(traces, before, whole);
  expect(await isSignedIn(browser)).toBe(response.status === 200);
  if (response.status === 200) {
    expect(traces.sessions).toBe(whole.sessions);
  } else {
    // When the first try was written, the second one finds no challenge.
    expect([500, 400]).toContain(response.status);
    expect((await signInWithPasskey(browser, authenticator)).status).toBe(200);
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
  "whose account is not linked yet": { accounts: 1, mails: 0, first: "/app" },
  "who is new": { accounts: 1, mails: 0, users: 1, first: "/onboarding" },
};

test.each(
  Object.entries(CALLBACKS).flatMap(([who, leaves], index) =>
    faultsUpTo(6, index).map((fault) => [who, fault, leaves] as const),
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
  const sums = Object.entries(added).map(([name, count]) => [
    name,
    before[name as keyof Traces] + count,
  ]);
  const whole = after(before, Object.fromEntries(sums));
  expectAllOrNothing(traces, before, whole);
  const isIn = locationOf(response) === first;
  expect(await isSignedIn(browser)).toBe(isIn);
  if (isIn) {
    expect(traces.sessions).toBe(whole.sessions);
  } else {
    expect(locationOf(response)).toMatch(/^\/login\/error\?error=/);
    const again = await browser.get(await visitProvider(browser, email));
    expect(locationOf(again)).toBe(first);
  }
});
