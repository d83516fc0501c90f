import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { unstable_splitSqlQuery as splitStatements } from "wrangler";
import { auditOf } from "../support/audit.ts";
import { addPasskey, newAuthenticator, signInWithPasskey } from "../support/authenticator.ts";
import { type Browser, locationOf, newBrowser, readText } from "../support/client.ts";
import { faultsUpTo } from "../support/faults.ts";
import { startIdentityProvider } from "../support/oidc.ts";
import {
  anAdmin,
  aSignedInUser,
  askForCode,
  aUser,
  enterCode,
  newEmail,
  signIn,
} from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startTurnstile } from "../support/turnstile.ts";
import { type Gatehouse, startGatehouse } from "../support/worker.ts";

const MIGRATION = new URL("../../migrations/0017_proven_emails.sql", import.meta.url);
const PENDING = "gatehouse.pending-link";
const HEAD = newEmail("head");

const say = translationsIn("en");
const provider = await startIdentityProvider();
const gatehouse = await startGatehouse({
  vars: { ...provider.vars, ADMIN_EMAILS: HEAD },
  isProbed: true,
});
const closed = await startGatehouse({
  vars: { ...provider.vars, SIGN_UP_ENABLED: "false" },
  isProbed: true,
});
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await closed[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

/** Signs in at a provider that reports the e-mail as unverified, and returns the response to the callback. */
async function signInUnproven(browser: Browser, email: string, login = "/login", fault?: string) {
  provider.setVisitor({ email, isEmailVerified: false, name: "Sofía Provider" });
  const pressed = await browser.submit(login, { intent: "social", provider: "oidc" });
  const back = new URL(await provider.visit(pressed.headers.get("location") ?? ""));
  const headers: Record<string, string> = fault ? { "x-d1-fault": fault } : {};
  return browser.get(back.pathname + back.search, { headers });
}

async function userOf(browser: Browser): Promise<{ id: string; email: string } | undefined> {
  const session = JSON.parse(await (await browser.get("/api/auth/get-session")).text());
  return session?.user;
}

async function count(sql: string, value: string, target: Pick<Gatehouse, "d1"> = gatehouse) {
  const statement = target.d1.prepare(`SELECT count(*) AS n FROM ${sql}`).bind(value);
  return (await statement.first<number>("n")) ?? -1;
}

const OF_EMAIL = "user_id = (SELECT id FROM user WHERE email = ?)";
const accountsOf = (email: string) => count(`account WHERE ${OF_EMAIL}`, email);
const countMethodMails = (email: string) =>
  count("mail_outbox WHERE kind = 'sign-in-method-added' AND recipient = ?", email);

/** Sets an e-mail to unproven, which the product itself never does. */
async function unprove(userId: string): Promise<void> {
  await gatehouse.d1.prepare("UPDATE user SET email_verified = 0 WHERE id = ?").bind(userId).run();
}

test.each([newEmail("victim"), HEAD])(
  "a provider's unverified e-mail %s gives no access, before and after its owner signs in",
  async (email) => {
    const attacker = newBrowser(gatehouse);

    await signInUnproven(attacker, email);
    expect(await userOf(attacker)).toBeUndefined();
    expect(await count("user WHERE email = ?", email)).toBe(0);
    const key = newAuthenticator({ origin: gatehouse.origin });
    expect((await attacker.api("/api/auth/passkey/verify-registration")).status).toBe(400);
    expect((await attacker.get("/api/auth/passkey/generate-register-options")).status).toBe(401);

    await gatehouse.mailbox.codeFor(email);
    const owner = newBrowser(gatehouse);
    await signIn(gatehouse, owner, email);
    expect(await userOf(attacker)).toBeUndefined();
    expect(await count(`passkey WHERE ${OF_EMAIL}`, email)).toBe(0);
    expect(await accountsOf(email)).toBe(0);
    expect((await signInWithPasskey(attacker, key)).status).toBe(401);
    expect((await attacker.get("/manager/users")).status).toBe(302);
  },
);

test("proving an e-mail removes the row's passkeys and asks the owner for a name", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { name: "Mallory" });
  const key = newAuthenticator({ origin: gatehouse.origin });
  expect((await addPasskey(browser, key)).status).toBe(200);
  await unprove(user.id);

  const owner = newBrowser(gatehouse);
  await signIn(gatehouse, owner, user.email);

  expect(await count("passkey WHERE user_id = ?", user.id)).toBe(0);
  expect(locationOf(await owner.get("/app"))).toBe("/onboarding?redirect=%2Fapp");
  expect((await signInWithPasskey(newBrowser(gatehouse), key)).status).toBe(401);
});

test("a manager's change of an unproven e-mail keeps the new name and removes the passkeys", async () => {
  const { browser: manager } = await anAdmin(gatehouse);
  const { user, browser } = await aSignedInUser(gatehouse);
  await addPasskey(browser, newAuthenticator({ origin: gatehouse.origin }));
  await unprove(user.id);
  const email = newEmail("moved");

  const response = await manager.submit(`/manager/users/${user.id}/update`, {
    ...{ name: "Given Name", email, role: "user", version: "1" },
  });

  expect(response.status).toBe(302);
  const row = await gatehouse.d1.prepare("SELECT * FROM user WHERE id = ?").bind(user.id).first();
  expect(row).toMatchObject({ name: "Given Name", email, email_verified: 1, onboarded_at: null });
  expect(await count("passkey WHERE user_id = ?", user.id)).toBe(0);
});

test("a user with an unproven e-mail can add neither a passkey nor an account", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  await unprove(user.id);
  const refused = [403, { code: "EMAIL_NOT_VERIFIED" }];

  const options = await browser.get("/api/auth/passkey/generate-register-options");
  expect([options.status, await options.json()]).toEqual(refused);
  const response = newAuthenticator({ origin: gatehouse.origin }).create("challenge");
  const added = await browser.api("/api/auth/passkey/verify-registration", { response });
  expect([added.status, await added.json()]).toEqual(refused);
  const linked = await browser.api("/api/auth/link-social", { provider: "oidc" });
  expect([linked.status, await linked.json()]).toEqual(refused);
  const form = await browser.submit("/app/account", { intent: "link", provider: "oidc" });
  expect(readText(await (await browser.follow(form)).text())).toContain(
    say("codes:EMAIL_NOT_VERIFIED"),
  );
});

test("the database refuses a session, an account and a passkey of an unproven user, but not an impersonation", async () => {
  const { id } = await aUser(gatehouse, { email_verified: 0 });
  const insert = (sql: string) => gatehouse.d1.prepare(sql).bind(crypto.randomUUID(), id).run();
  const session = (by: string) =>
    insert(
      `INSERT INTO session (id, token, user_id, expires_at, impersonated_by, created_at, updated_at)
       VALUES (?1, ?1, ?2, 0, ${by}, 0, 0)`,
    );

  await expect(session("NULL")).rejects.toThrow("EMAIL_NOT_VERIFIED");
  await expect(session("'admin'")).resolves.toBeDefined();
  await expect(
    insert(
      `INSERT INTO account (id, account_id, provider_id, user_id, created_at, updated_at)
       VALUES (?1, ?1, 'oidc', ?2, 0, 0)`,
    ),
  ).rejects.toThrow("EMAIL_NOT_VERIFIED");
  await expect(
    insert(
      `INSERT INTO passkey (id, public_key, user_id, credential_id, counter, device_type, backed_up)
       VALUES (?1, 'key', ?2, ?1, 0, 'singleDevice', 0)`,
    ),
  ).rejects.toThrow("EMAIL_NOT_VERIFIED");
});

test("the migration deletes sessions, accounts and passkeys of unproven users only", async () => {
  await using old = await startGatehouse({ vars: provider.vars });
  const people = [await aSignedInUser(old), await aSignedInUser(old)];
  for (const { user, browser } of people) {
    await addPasskey(browser, newAuthenticator({ origin: old.origin }));
    await old.d1
      .prepare(
        `INSERT INTO account (id, account_id, provider_id, user_id, created_at, updated_at)
         VALUES (?1, ?1, 'oidc', ?1, 0, 0)`,
      )
      .bind(user.id)
      .run();
  }
  const [squatter, owner] = people.map(({ user }) => user.id);
  await old.d1.prepare("UPDATE user SET email_verified = 0 WHERE id = ?").bind(squatter).run();
  const sql = readFileSync(MIGRATION, "utf8");
  for (const [, trigger] of sql.matchAll(/CREATE TRIGGER (\w+)/g)) {
    await old.d1.prepare(`DROP TRIGGER ${trigger}`).run();
  }

  await old.d1.batch(splitStatements(sql).map((statement) => old.d1.prepare(statement)));

  for (const table of ["session", "account", "passkey"]) {
    expect(await count(`${table} WHERE user_id = ?`, squatter ?? "", old)).toBe(0);
    expect(await count(`${table} WHERE user_id = ?`, owner ?? "", old)).toBe(1);
  }
});

test.each([
  ["a new user", undefined],
  ["the owner of a proven account", 1],
  ["the owner of an unproven account", 0],
] as const)(
  "a code to the e-mail signs %s in and links the provider's account",
  async (_name, email_verified) => {
    const email =
      email_verified === undefined
        ? newEmail("social")
        : (await aUser(gatehouse, { email_verified })).email;
    const browser = newBrowser(gatehouse);

    const back = await signInUnproven(browser, email, "/login?redirect=%2Fapp%3Fx%3D1");
    const verify = `/login/verify?${new URLSearchParams({ redirect: "/app?x=1", email })}`;
    expect(locationOf(back)).toBe(verify);
    expect(await accountsOf(email)).toBe(0);
    expect(readText(await (await browser.get(verify)).text())).toContain(
      say("login:proveFor", { provider: "Testpass", email }),
    );
    const code = await gatehouse.mailbox.codeFor(email);
    const entered = await browser.submit(verify, { intent: "verify", code });

    expect(["/app?x=1", "/onboarding?redirect=%2Fapp%3Fx%3D1"]).toContain(locationOf(entered));
    expect(browser.cookies.has(PENDING)).toBe(false);
    const user = await userOf(browser);
    expect(user).toMatchObject({ email });
    expect(await accountsOf(email)).toBe(1);
    const audit = await auditOf(gatehouse, user?.id ?? "");
    expect(audit.filter(({ action }) => action === "account.linked")).toHaveLength(1);
    expect(await countMethodMails(email)).toBe(1);

    const other = newBrowser(gatehouse);
    await signInUnproven(other, email);
    expect(await userOf(other)).toMatchObject({ id: user?.id });
  },
);

test("an unproven user needs a code even when the provider has verified the e-mail", async () => {
  const { email } = await aUser(gatehouse, { email_verified: 0 });
  const browser = newBrowser(gatehouse);
  provider.setVisitor({ email });
  const pressed = await browser.submit("/login", { intent: "social", provider: "oidc" });
  const back = new URL(await provider.visit(pressed.headers.get("location") ?? ""));

  const response = await browser.get(back.pathname + back.search);

  expect(locationOf(response)).toBe(`/login/verify?${new URLSearchParams({ email })}`);
  await enterCode(browser, email, await gatehouse.mailbox.codeFor(email));
  expect(await accountsOf(email)).toBe(1);
});

test("a code entered in another browser, or for another e-mail, links nothing", async () => {
  const { email } = await aUser(gatehouse);
  const attacker = newBrowser(gatehouse);
  await signInUnproven(attacker, email);
  const code = await gatehouse.mailbox.codeFor(email);

  await enterCode(newBrowser(gatehouse), email, code);
  expect(await accountsOf(email)).toBe(0);

  const { email: other } = await aUser(gatehouse);
  await newBrowser(gatehouse).submit("/login", { intent: "email", email: other });
  await enterCode(attacker, other, await gatehouse.mailbox.codeFor(other));
  expect(await userOf(attacker)).toMatchObject({ email: other });
  expect(attacker.cookies.has(PENDING)).toBe(false);
  expect([await accountsOf(email), await accountsOf(other)]).toEqual([0, 0]);
});

test("a new sign-in on the login screen links nothing", async () => {
  const { email } = await aUser(gatehouse);
  const browser = newBrowser(gatehouse);
  await signInUnproven(browser, email);
  await gatehouse.mailbox.codeFor(email);

  await askForCode(browser, email);
  await enterCode(browser, email, await gatehouse.mailbox.codeFor(email));

  expect(await userOf(browser)).toMatchObject({ email });
  expect(await accountsOf(email)).toBe(0);
});

test("an account that was linked to another user meanwhile stays theirs", async () => {
  const { email } = await aUser(gatehouse);
  const owner = await aUser(gatehouse);
  const browser = newBrowser(gatehouse);
  await signInUnproven(browser, email);
  await gatehouse.d1
    .prepare(
      `INSERT INTO account (id, account_id, provider_id, user_id, created_at, updated_at)
       VALUES (?1, ?2, 'oidc', ?3, 0, 0)`,
    )
    .bind(crypto.randomUUID(), Buffer.from(email).toString("base64url"), owner.id)
    .run();

  const entered = await enterCode(browser, email, await gatehouse.mailbox.codeFor(email));

  expect(locationOf(entered)).toBe("/app");
  expect(await userOf(browser)).toMatchObject({ email });
  expect([await accountsOf(email), await accountsOf(owner.email)]).toEqual([0, 1]);
  expect(await countMethodMails(email)).toBe(0);
});

test("eight entries of one code at once make one session and one link", async () => {
  const email = newEmail("race");
  const browser = newBrowser(gatehouse);
  await signInUnproven(browser, email);
  const code = await gatehouse.mailbox.codeFor(email);

  const answers = await Promise.all(
    Array.from({ length: 8 }, () => enterCode(browser, email, code)),
  );

  expect(answers.filter(({ status }) => status === 302)).toHaveLength(1);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  expect(await count(`session WHERE ${OF_EMAIL}`, email)).toBe(1);
  expect([await accountsOf(email), await countMethodMails(email)]).toEqual([1, 1]);
});

test("of two browsers that enter one code at once, one signs in and links its account", async () => {
  const email = newEmail("race");
  const browsers = [newBrowser(gatehouse), newBrowser(gatehouse)];
  for (const browser of browsers) await signInUnproven(browser, email);
  await gatehouse.mailbox.codeFor(email);
  const code = await gatehouse.mailbox.codeFor(email);

  const answers = await Promise.all(browsers.map((browser) => enterCode(browser, email, code)));

  expect(answers.filter(({ status }) => status === 302)).toHaveLength(1);
  expect(await accountsOf(email)).toBe(1);
});

const FAULTS = faultsUpTo(14);

test.each(FAULTS)("proving an e-mail survives a fault at call %s", async (fault) => {
  gatehouse.tolerateErrors();
  const email = newEmail("shaky");
  const browser = newBrowser(gatehouse);

  await signInUnproven(browser, email, "/login", fault);
  expect(await count("user WHERE email = ?", email)).toBe(0);
  if (browser.cookies.has("gatehouse.code-sent")) await gatehouse.mailbox.codeFor(email);
  // A mail may be queued although the request failed: the cron sends it, and the next code replaces its code.
  await gatehouse.d1.prepare("DELETE FROM mail_outbox WHERE recipient = ?").bind(email).run();

  await signInUnproven(browser, email);
  const code = await gatehouse.mailbox.codeFor(email);
  const verify = `/login/verify?${new URLSearchParams({ email })}`;
  const headers = { "x-d1-fault": fault };
  await browser.submit(verify, { intent: "verify", code }, { headers });

  const linked = await accountsOf(email);
  const user = await gatehouse.d1
    .prepare("SELECT id, email_verified FROM user WHERE email = ?")
    .bind(email)
    .first<{ id: string; email_verified: number }>();
  expect(user?.email_verified ?? 1).toBe(1);
  const audit = await auditOf(gatehouse, user?.id ?? "");
  expect(audit.filter(({ action }) => action === "account.linked")).toHaveLength(linked);
  expect(await countMethodMails(email)).toBe(linked);

  const again = newBrowser(gatehouse);
  await signInUnproven(again, email);
  if (!(await userOf(again))) {
    await enterCode(again, email, await gatehouse.mailbox.codeFor(email));
  }
  expect(await userOf(again)).toMatchObject({ email });
  expect([await accountsOf(email), await countMethodMails(email)]).toEqual([1, 1]);
});

test("with sign-up off a known and an unknown e-mail get the same answers, and only the known one a mail", async () => {
  const { email: known } = await aUser(closed);
  const unknown = newEmail("stranger");
  const see = async (email: string) => {
    const browser = newBrowser(closed);
    const response = await signInUnproven(browser, email);
    return {
      status: response.status,
      location: locationOf(response)?.replace(encodeURIComponent(email), "EMAIL"),
      headers: [...response.headers.keys()].sort(),
      // Equal numbers of database calls, so that the response time reveals nothing.
      calls: response.headers.get("x-d1-calls"),
      cookies: [...browser.cookies.keys()].sort(),
      page: readText(await (await browser.follow(response)).text()).replaceAll(email, "EMAIL"),
    };
  };

  await see(newEmail("first"));
  expect(await see(unknown)).toEqual(await see(known));
  await closed.mailbox.codeFor(known);
  expect(await count("mail_outbox WHERE recipient = ?", unknown, closed)).toBe(0);
  expect(await count("user WHERE email = ?", unknown, closed)).toBe(0);
});

test("with a captcha the code is sent after it is solved on the verify screen", async () => {
  await using turnstile = await startTurnstile();
  await using guarded = await startGatehouse({ vars: { ...provider.vars, ...turnstile.vars } });
  const email = newEmail("social");
  const browser = newBrowser(guarded);

  const back = await signInUnproven(browser, email);
  const verify = `/login/verify?${new URLSearchParams({ email })}`;
  expect(locationOf(back)).toBe(verify);
  expect(await count("mail_outbox WHERE recipient = ?", email, guarded)).toBe(0);
  expect(readText(await (await browser.get(verify)).text())).toContain(
    say("codes:MISSING_RESPONSE"),
  );
  await browser.submit(verify, { intent: "resend", "cf-turnstile-response": turnstile.solve() });
  await enterCode(browser, email, await guarded.mailbox.codeFor(email));

  expect(await userOf(browser)).toMatchObject({ email });
  expect(await count(`account WHERE ${OF_EMAIL}`, email, guarded)).toBe(1);
});

test("when the e-mail has reached its limit, the verify screen says so and sends nothing", async () => {
  const { email } = await aUser(gatehouse);
  for (let sent = 0; sent < 5; sent++) await askForCode(newBrowser(gatehouse), email);
  const browser = newBrowser(gatehouse);

  const back = await signInUnproven(browser, email);

  expect(readText(await (await browser.follow(back)).text())).toContain("Too many");
  expect(await count("mail_outbox WHERE recipient = ?", email)).toBe(5);
});
