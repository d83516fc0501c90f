import { afterAll, expect, test } from "vitest";
import { type Browser, locationOf, newBrowser, setCookieOf } from "../support/client.ts";
import { startIdentityProvider } from "../support/oidc.ts";
import { tryAgain } from "../support/outbox.ts";
import { askForCode, aUser, aUserSignedInByCode, newEmail, signIn } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { type Gatehouse, startGatehouse } from "../support/worker.ts";

const DEVICE_COOKIE = "gatehouse.device";
const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";

const provider = await startIdentityProvider();
const gatehouse = await startGatehouse({ vars: provider.vars });
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

/** Counts the mails about a new device to an e-mail; they are in the outbox before the sign-in is answered. */
async function countNewDeviceMails(email: string, target: Pick<Gatehouse, "d1"> = gatehouse) {
  const count = await target.d1
    .prepare("SELECT count(*) AS n FROM mail_outbox WHERE recipient = ? AND kind = 'new-device'")
    .bind(email)
    .first<number>("n");
  return count;
}

async function signInThroughProvider(browser: Browser): Promise<Response> {
  const pressed = await browser.submit("/login", { intent: "social", provider: "oidc" });
  const back = new URL(await provider.visit(pressed.headers.get("location") ?? ""));
  return browser.get(back.pathname + back.search);
}

test("a first sign-in sends no mail, neither after a sign-up nor for a user added by a manager", async () => {
  const email = newEmail();
  await signIn(gatehouse, newBrowser(gatehouse), email);
  const { user } = await aUserSignedInByCode(gatehouse);

  expect(await countNewDeviceMails(email)).toBe(0);
  expect(await countNewDeviceMails(user.email)).toBe(0);
});

test("a user whose old sign-ins are no longer in the audit log is told of a new device", async () => {
  const seenAt = Date.now() - 450 * 86_400_000;
  const user = await aUser(gatehouse, { onboarded_at: seenAt, last_seen_at: seenAt });

  await signIn(gatehouse, newBrowser(gatehouse), user.email);

  expect(await countNewDeviceMails(user.email)).toBe(1);
});

test("a trusted device stays trusted after signing out, but only for its e-mail", async () => {
  const { user, browser } = await aUserSignedInByCode(gatehouse);
  const { user: other } = await aUserSignedInByCode(gatehouse);

  await browser.submit("/sign-out", {});
  await signIn(gatehouse, browser, user.email);
  expect(await countNewDeviceMails(user.email)).toBe(0);
  await browser.submit("/sign-out", {});
  await signIn(gatehouse, browser, other.email);
  expect(await countNewDeviceMails(other.email)).toBe(1);

  await browser.submit("/sign-out", {});
  await signIn(gatehouse, browser, other.email);
  await browser.submit("/sign-out", {});
  await signIn(gatehouse, browser, user.email);
  expect([await countNewDeviceMails(user.email), await countNewDeviceMails(other.email)]).toEqual([
    0, 1,
  ]);
});

test.each([
  ["ar", "app", {}, "Nairobi، كينيا"],
  ["fr", "manager", { role: "admin" }, "Nairobi, Kenya"],
] as const)(
  "a new device's sign-in sends one mail in %s, with device, location and a link to the account screen of /%s",
  async (language, area, overrides, location) => {
    const say = translationsIn(language);
    const { user } = await aUserSignedInByCode(gatehouse, { language, ...overrides });
    const browser = newBrowser(gatehouse);
    await askForCode(browser, user.email);
    const code = await gatehouse.mailbox.codeFor(user.email);
    const headers = {
      "user-agent": SAFARI,
      "mf-cf-blob": JSON.stringify({ city: "Nairobi", country: "KE" }),
    };

    await browser.submit(
      `/login/verify?${new URLSearchParams({ email: user.email })}`,
      { intent: "verify", code },
      { headers },
    );

    const mail = await gatehouse.mailbox.mailFor(user.email);
    const text = mail.text.replace(/[\u2066-\u2069]/g, "");
    expect(mail.subject).toBe(say("mail:newDevice.subject"));
    expect(text).toContain(say("mail:newDevice.device", { browser: "Safari", system: "iOS" }));
    expect(text).toContain(location);
    expect(text).toContain(String(new Date().getUTCFullYear()));
    expect(text).toContain("UTC");
    expect(mail.link).toBe(`${gatehouse.origin}/${area}/account`);
    expect(mail.code).toBe("");
    expect(await countNewDeviceMails(user.email)).toBe(1);
  },
);

test("the mail about an unknown device and location says so", async () => {
  const { user } = await aUserSignedInByCode(gatehouse);
  const browser = newBrowser(gatehouse);
  await askForCode(browser, user.email);
  const otp = await gatehouse.mailbox.codeFor(user.email);

  await browser.api(
    "/api/auth/sign-in/email-otp",
    { email: user.email, otp },
    { headers: { "user-agent": "<script>" } },
  );

  const { text } = await gatehouse.mailbox.mailFor(user.email);
  expect(text).toContain("A device we do not know · ");
});

test("a forged device cookie is not trusted", async () => {
  const { user, browser } = await aUserSignedInByCode(gatehouse);
  const [, signature] = (browser.cookies.get(DEVICE_COOKIE) ?? "").split(".");
  const forged = newBrowser(gatehouse);
  forged.cookies.set(DEVICE_COOKIE, `${crypto.randomUUID()}.${signature}`);

  await signIn(gatehouse, forged, user.email);

  expect(await countNewDeviceMails(user.email)).toBe(1);
});

test("a provider's sign-in trusts the first device, reports a second one, and then trusts it", async () => {
  const email = newEmail("social");
  provider.setVisitor({ email, name: "Sofía" });
  const first = newBrowser(gatehouse);
  expect(setCookieOf(await signInThroughProvider(first), DEVICE_COOKIE)).toMatch(/HttpOnly/);
  expect(await countNewDeviceMails(email)).toBe(0);

  const second = newBrowser(gatehouse);
  await signInThroughProvider(second);
  expect((await gatehouse.mailbox.mailFor(email)).subject).toBe("New sign-in to your account");

  for (const browser of [first, second]) {
    await browser.submit("/sign-out", {});
    await signInThroughProvider(browser);
    await browser.submit("/sign-out", {});
    await signIn(gatehouse, browser, email);
  }
  expect(await countNewDeviceMails(email)).toBe(1);
});

test("a banned user's sign-in sends no mail and trusts no device", async () => {
  const { user } = await aUserSignedInByCode(gatehouse);
  await gatehouse.d1.prepare("UPDATE user SET banned = 1 WHERE id = ?").bind(user.id).run();
  const browser = newBrowser(gatehouse);
  await askForCode(browser, user.email);
  const code = await gatehouse.mailbox.codeFor(user.email);

  const search = new URLSearchParams({ email: user.email });
  const response = await browser.submit(`/login/verify?${search}`, { intent: "verify", code });

  expect(locationOf(response)).toMatch(/^\/login\/error\?error=BANNED_USER/);
  expect(setCookieOf(response, DEVICE_COOKIE)).toBeUndefined();
  expect(await countNewDeviceMails(user.email)).toBe(0);
});

test("a wrong code sends no mail", async () => {
  const { user } = await aUserSignedInByCode(gatehouse);

  const response = await newBrowser(gatehouse).api("/api/auth/sign-in/email-otp", {
    email: user.email,
    otp: "000000",
  });

  expect(response.status).toBe(400);
  expect(setCookieOf(response, DEVICE_COOKIE)).toBeUndefined();
  expect(await countNewDeviceMails(user.email)).toBe(0);
});

test("a sign-in succeeds when its mail cannot be queued, and the error is logged", async () => {
  await using broken = await startGatehouse();
  const { user } = await aUserSignedInByCode(broken);
  // The update that marks the previous mail as sent may fail too.
  broken.tolerateErrors();
  const browser = newBrowser(broken);
  await askForCode(browser, user.email);
  const otp = await broken.mailbox.codeFor(user.email);
  await broken.d1.exec("ALTER TABLE mail_outbox RENAME TO outbox_away");

  const response = await browser.api("/api/auth/sign-in/email-otp", { email: user.email, otp });

  expect(response.status).toBe(200);
  expect(setCookieOf(response, DEVICE_COOKIE)).toBeDefined();
  expect((await browser.get("/app")).status).toBe(200);
  await broken.logged("auth.sign_in_not_recorded");
});

test("the mail waits in the outbox while the mail provider fails", async () => {
  await using waiting = await startGatehouse();
  const { user } = await aUserSignedInByCode(waiting);
  const browser = newBrowser(waiting);
  await askForCode(browser, user.email);
  const otp = await waiting.mailbox.codeFor(user.email);
  waiting.mailbox.answerNext({ status: 500 });
  await browser.api("/api/auth/sign-in/email-otp", { email: user.email, otp });
  await waiting.mailbox.attempted(3);

  await expect
    .poll(async () => {
      await tryAgain(waiting);
      return waiting.mailbox.mails.filter(({ subject }) => subject.startsWith("New sign-in"))
        .length;
    })
    .toBe(1);
});
