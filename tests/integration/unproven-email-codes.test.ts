import { afterAll, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import { locationOf, newBrowser, readText } from "../support/client.ts";
import { faultsUpTo } from "../support/faults.ts";
import { startIdentityProvider } from "../support/oidc.ts";
import { askForCode, aUser, enterCode, newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startTurnstile } from "../support/turnstile.ts";
import { OF_EMAIL, unprovenOf } from "../support/unproven-email.ts";
import { startGatehouse } from "../support/worker.ts";

const PENDING = "gatehouse.pending-link";
const say = translationsIn("en");
const provider = await startIdentityProvider();
const gatehouse = await startGatehouse({
  vars: provider.vars,
});
const closed = await startGatehouse({
  vars: { ...provider.vars, SIGN_UP_ENABLED: "false" },
});
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await closed[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
const { signInUnproven, userOf, count, accountsOf, countMethodMails } = unprovenOf(
  gatehouse,
  provider,
);

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
    expect(await count("account WHERE email = ?", email)).toBe(1);
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

test("after the first codes the code is sent when a captcha is solved on the verify screen", async () => {
  await using turnstile = await startTurnstile();
  await using guarded = await startGatehouse({ vars: { ...provider.vars, ...turnstile.vars } });
  const email = newEmail("social");
  for (let sent = 0; sent < 5; sent++) await askForCode(newBrowser(guarded), email);
  for (let sent = 0; sent < 5; sent++) await guarded.mailbox.codeFor(email);
  await guarded.d1.exec("UPDATE sign_in_code SET sent_at = sent_at - 540001");
  const browser = newBrowser(guarded);

  const back = await signInUnproven(browser, email);
  const verify = `/login/verify?${new URLSearchParams({ email })}`;
  expect(locationOf(back)).toBe(verify);
  expect(await count("mail_outbox WHERE recipient = ?", email, guarded)).toBe(5);
  expect(readText(await (await browser.get(verify)).text())).toContain(
    say("codes:MISSING_RESPONSE"),
  );
  await browser.submit(verify, { intent: "resend", "cf-turnstile-response": turnstile.solve() });
  await enterCode(browser, email, await guarded.mailbox.codeFor(email));

  expect(await userOf(browser)).toMatchObject({ email });
  expect(await count(`account WHERE ${OF_EMAIL}`, email, guarded)).toBe(1);
});

test("when no code can leave at once, the verify screen says so", async () => {
  const { email } = await aUser(gatehouse);
  for (let sent = 0; sent < 5; sent++) await askForCode(newBrowser(gatehouse), email);
  const browser = newBrowser(gatehouse);

  const back = await signInUnproven(browser, email);

  expect(readText(await (await browser.follow(back)).text())).toContain(
    say("login:noNewMail", { duration: "9 minutes" }),
  );
  expect(await count("mail_outbox WHERE recipient = ?", email)).toBe(5);
});
