import { afterAll, expect, test } from "vitest";
import {
  accessibleError,
  alertsOf,
  locationOf,
  newBrowser,
  readText,
  setCookieOf,
} from "../support/client.ts";
import { anInvitation, anOrganization } from "../support/organizations.ts";
import { readPage } from "../support/page.ts";
import {
  aSignedInUser,
  askForCode,
  aUser,
  enterCode,
  newEmail,
  signIn,
  wrongCode,
} from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const ADMIN = "first-admin@example.com";

const say = translationsIn("en");
const gatehouse = await startGatehouse({ vars: { ADMIN_EMAILS: `${ADMIN}, second@example.com` } });
const closed = await startGatehouse({ vars: { SIGN_UP_ENABLED: "false", ADMIN_EMAILS: ADMIN } });
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await closed[Symbol.asyncDispose]();
});

function findUser(email: string) {
  return gatehouse.d1
    .prepare("SELECT * FROM user WHERE email = ?")
    .bind(email)
    .first<{ id: string; role: string; email_verified: number; onboarded_at: number | null }>();
}

async function countSessions(email: string): Promise<number> {
  const row = await gatehouse.d1
    .prepare(
      "SELECT count(*) AS n FROM session JOIN user ON user.id = session.user_id WHERE email = ?",
    )
    .bind(email)
    .first<{ n: number }>();
  return row?.n ?? 0;
}

/** Moves the expiry of an e-mail's code so many minutes into the past. */
async function age(email: string, minutes: number): Promise<void> {
  await gatehouse.d1
    .prepare("UPDATE verification SET expires_at = expires_at - ? WHERE identifier LIKE ?")
    .bind(minutes * 60_000, `%${email}%`)
    .run();
}

test("the start page redirects to the login screen", async () => {
  const browser = newBrowser(gatehouse);

  expect(locationOf(await browser.get("/"))).toBe("/login");
});

test("a new user enters a code, gives a name and opens the app", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();

  const asked = await browser.submit("/login?redirect=%2Fapp%3Ftab%3D1", {
    intent: "email",
    email,
  });
  const verify = `/login/verify?redirect=%2Fapp%3Ftab%3D1&email=${encodeURIComponent(email)}`;
  expect(asked.status).toBe(302);
  expect(locationOf(asked)).toBe(verify);
  const page = await (await browser.get(verify)).text();
  expect(readText(page)).toContain(`We have sent a code to ${email}`);
  expect(readText(page)).toContain("The code expires in 5 minutes");

  const code = await gatehouse.mailbox.codeFor(email);
  const entered = await browser.submit(verify, { intent: "verify", code });
  expect(entered.status).toBe(302);
  expect(locationOf(entered)).toBe("/onboarding?redirect=%2Fapp%3Ftab%3D1");
  const named = await browser.submit("/onboarding?redirect=%2Fapp%3Ftab%3D1", { name: "Zuri" });
  expect(locationOf(named)).toBe("/app?tab=1");

  const home = await browser.get("/app?tab=1");
  expect(home.status).toBe(200);
  expect(readText(await home.text())).toContain("Hello, Zuri");
  expect(await findUser(email)).toMatchObject({ role: "user", email_verified: 1 });
});

test("the provider gets one request with the outbox row's id, and the payload is erased", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();

  await askForCode(browser, email);
  const mail = await gatehouse.mailbox.mailFor(email);

  const findRow = () =>
    gatehouse.d1.prepare("SELECT * FROM mail_outbox WHERE recipient = ?").bind(email).first();
  await expect.poll(findRow).toMatchObject({ state: "sent", payload: null, tries: 1 });
  expect(await findRow()).toMatchObject({ id: mail.idempotencyKey, provider_id: mail.id });
  expect(mail).toMatchObject({ to: email, subject: `${mail.code} is your Gatehouse code` });
  expect(mail.from).toBe("Gatehouse <no-reply@gatehouse.example>");
  expect(mail.text).toContain("It is valid for 5 minutes and works once.");
});

test("the mail's link opens the verify screen, has the code in its fragment, and uses up no try", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();

  await browser.submit("/login?redirect=%2Fapp", { intent: "email", email });
  const mail = await gatehouse.mailbox.mailFor(email);
  const link = new URL(mail.link);
  expect(link.origin).toBe(gatehouse.origin);
  expect(link.hash).toBe(`#code=${mail.code}`);
  expect(link.search).not.toContain(mail.code);
  expect(link.searchParams.get("redirect")).toBe("/app");

  for (let visit = 0; visit < 4; visit++) {
    const page = await browser.get(link.pathname + link.search);
    expect(page.status).toBe(200);
    expect(await page.text()).not.toContain(mail.code);
  }
  expect(locationOf(await enterCode(browser, email, mail.code))).toBe("/onboarding");
});

test("a mail is in the language of the request", async () => {
  const email = newEmail();

  await askForCode(newBrowser(gatehouse, { language: "ar" }), email);

  const mail = await gatehouse.mailbox.mailFor(email);
  expect(readPage(mail.html).rootAttribute("lang")).toBe("ar");
  expect(readPage(mail.html).rootAttribute("dir")).toBe("rtl");
  expect(mail.subject).toMatch(/\p{Script=Arabic}/u);
  expect(mail.code).toMatch(/^\d{6}$/);
});

test("a mail names the request for its code, its recipient and the host", async () => {
  const email = newEmail();
  const headers = { "mf-cf-blob": JSON.stringify({ city: "Nairobi", country: "KE" }) };

  await newBrowser(gatehouse, { headers }).submit("/login", { intent: "email", email });

  const text = (await gatehouse.mailbox.mailFor(email)).text.replace(/[\u2066-\u2069]/g, "");
  expect(text).toContain("Requested from Firefox on Linux, Nairobi, Kenya, ");
  const { host } = new URL(gatehouse.origin);
  expect(text).toContain(`Sent to ${email} because someone entered this address at ${host}.`);
});

test("an e-mail belongs to one user in any spelling", async () => {
  const email = newEmail("CamelCase");
  const browser = newBrowser(gatehouse);

  await browser.submit("/login", { intent: "email", email: `  ${email.toUpperCase()} ` });
  const code = await gatehouse.mailbox.codeFor(email.toLowerCase());
  await enterCode(browser, email, code);

  expect(await findUser(email.toLowerCase())).not.toBeNull();
  expect(await countSessions(email.toLowerCase())).toBe(1);
});

test.each([
  ["123 456", (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`],
  ["123-456", (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`],
  ["Arabic-Indic digits", (code: string) => toDigits(code, 0x0660)],
  ["Persian digits", (code: string) => toDigits(code, 0x06f0)],
  ["marks of right-to-left text", (code: string) => `\u200f\u2066${code}\u2069 `],
])("a code may be written as %s", async (_name, write) => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();
  await askForCode(browser, email);

  const response = await enterCode(browser, email, write(await gatehouse.mailbox.codeFor(email)));

  expect(locationOf(response)).toBe("/onboarding");
  expect(await countSessions(email)).toBe(1);
});

function toDigits(code: string, zero: number): string {
  return [...code].map((digit) => String.fromCharCode(zero + Number(digit))).join("");
}

test.each([
  ["", "Code is required"],
  ["   ", "Code is required"],
  ["12345", "Code should be 6 characters"],
  ["1234567", "Code should be 6 characters"],
  ["12345x", "Code is invalid"],
  ["9".repeat(1_000), "Code should be 6 characters"],
])("the code %j is answered with: %s", async (code, message) => {
  const browser = newBrowser(gatehouse);

  const response = await enterCode(browser, newEmail(), code);

  expect(response.status).toBe(400);
  expect(accessibleError(await response.text(), "code")).toBe(message);
});

test("a wrong code is reported beside its field and not returned", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();
  await askForCode(browser, email);
  const wrong = wrongCode(await gatehouse.mailbox.codeFor(email));

  const response = await enterCode(browser, email, wrong);

  expect(response.status).toBe(400);
  const page = await response.text();
  expect(accessibleError(page, "code")).toBe("Code is invalid");
  expect(page).not.toContain(wrong);
  expect(await countSessions(email)).toBe(0);
});

test("the third wrong code uses up the right one", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();
  await askForCode(browser, email);
  const code = await gatehouse.mailbox.codeFor(email);

  await enterCode(browser, email, wrongCode(code));
  await enterCode(browser, email, wrongCode(code));
  const third = await enterCode(browser, email, wrongCode(code));
  const page = await third.text();
  expect(third.status).toBeGreaterThanOrEqual(400);
  expect(third.status).toBeLessThan(500);
  expect(alertsOf(page)).toEqual([say("codes:TOO_MANY_ATTEMPTS")]);
  expect(readPage(page).find("button", "Confirm")).toBeUndefined();

  const right = await enterCode(browser, email, code);
  expect(right.status).toBeGreaterThanOrEqual(400);
  expect(await countSessions(email)).toBe(0);
});

test("after a used-up code a new one signs in", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();
  await askForCode(browser, email);
  const code = await gatehouse.mailbox.codeFor(email);
  for (let count = 0; count < 3; count++) await enterCode(browser, email, wrongCode(code));

  await askForCode(browser, email);
  const response = await enterCode(browser, email, await gatehouse.mailbox.codeFor(email));

  expect(locationOf(response)).toBe("/onboarding");
});

test("a code works once", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();
  await askForCode(browser, email);
  const code = await gatehouse.mailbox.codeFor(email);
  await enterCode(browser, email, code);

  const again = await enterCode(newBrowser(gatehouse), email, code);

  expect(again.status).toBe(400);
  expect(await countSessions(email)).toBe(1);
});

test("a code expires after 5 minutes", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();
  await askForCode(browser, email);
  const code = await gatehouse.mailbox.codeFor(email);
  await age(email, 5);

  const response = await enterCode(browser, email, code);

  expect(response.status).toBe(400);
  expect(alertsOf(await response.text())).toEqual([say("codes:OTP_EXPIRED")]);
  expect(await countSessions(email)).toBe(0);
});

test("a code is valid just before 5 minutes", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();
  await askForCode(browser, email);
  const code = await gatehouse.mailbox.codeFor(email);
  await age(email, 4.5);

  expect(locationOf(await enterCode(browser, email, code))).toBe("/onboarding");
});

test("a code is valid for its e-mail only", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();
  await askForCode(browser, email);
  const other = newEmail();
  await askForCode(browser, other);
  await gatehouse.mailbox.codeFor(other);

  const response = await enterCode(browser, other, await gatehouse.mailbox.codeFor(email));

  expect(response.status).toBe(400);
  expect(await countSessions(other)).toBe(0);
});

test("codes are stored as keyed hashes", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();
  await askForCode(browser, email);
  const code = await gatehouse.mailbox.codeFor(email);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code));

  const { results } = await gatehouse.d1
    .prepare("SELECT value FROM verification WHERE identifier LIKE ?")
    .bind(`%${email}%`)
    .all<{ value: string }>();

  expect(results).toHaveLength(1);
  const stored = results[0]?.value ?? "";
  expect(stored).not.toContain(code);
  expect(stored).not.toContain(Buffer.from(digest).toString("hex"));
  expect(stored).not.toContain(Buffer.from(digest).toString("base64url"));
});

test("another code can be requested after a minute, not before", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();
  const verify = `/login/verify?email=${encodeURIComponent(email)}`;
  await askForCode(browser, email);
  const first = await gatehouse.mailbox.codeFor(email);

  const early = await browser.submit(verify, { intent: "resend" });
  expect(early.status).toBe(400);
  expect(alertsOf(await early.text())[0]).toMatch(
    /^You can ask for another code in (59|60) seconds$/,
  );

  browser.cookies.set("gatehouse.code-sent", String(Date.now() - 61_000));
  const resent = await browser.submit(verify, { intent: "resend" });
  expect(locationOf(resent)).toBe(verify);
  expect(readText(await (await browser.get(verify)).text())).toContain("We have sent a new code.");
  const second = await gatehouse.mailbox.codeFor(email);
  expect(locationOf(await enterCode(browser, email, second))).toBe("/onboarding");
  expect((await enterCode(newBrowser(gatehouse), email, first)).status).toBe(400);
});

test("with sign-up off the screens say so, and an unknown e-mail gets no code", async () => {
  const browser = newBrowser(closed);
  const email = newEmail("stranger");
  const login = readText(await (await browser.get("/login")).text());
  expect(login).toContain("Login");
  expect(login).not.toContain("Sign Up");

  const page = await browser.follow(browser.submit("/login", { intent: "email", email }));
  expect(readText(await page.text())).toContain(
    `If you have an account, we have sent a code to ${email}`,
  );
  expect((await enterCode(browser, email, "123456")).status).toBe(400);
  const { results } = await closed.d1
    .prepare("SELECT id FROM user WHERE email = ?")
    .bind(email)
    .all();
  expect(results).toEqual([]);
});

test("with sign-up off a configured admin can sign up, and the screens do not reveal it", async () => {
  const unknown = newEmail("stranger");
  const see = async (email: string) => {
    const browser = newBrowser(closed);
    const asked = await askForCode(browser, email);
    const page = readText(await (await browser.follow(asked)).text());
    const guessed = await enterCode(browser, email, "000000");
    return [asked.status, page, guessed.status, readText(await guessed.text())].map((seen) =>
      String(seen).replaceAll(email, "EMAIL"),
    );
  };
  expect(await see(ADMIN)).toEqual(await see(unknown));
  const browser = newBrowser(closed);

  await enterCode(browser, ADMIN, await closed.mailbox.codeFor(ADMIN));
  await browser.submit("/onboarding", { name: "Amina" });

  expect((await browser.get("/manager/users")).status).toBe(200);
  const { results } = await closed.d1
    .prepare("SELECT id FROM mail_outbox WHERE recipient = ?")
    .bind(unknown)
    .all();
  expect(results).toEqual([]);
});

test("with sign-up off an invited person can sign up, and the screens do not reveal it", async () => {
  const { organization, ownerId } = await anOrganization(closed);
  const own = { organization_id: organization.id, inviter_id: ownerId };
  const { id, email } = await anInvitation(closed, own);
  const unknown = newEmail("stranger");
  const ask = async (asked: string) => {
    const browser = newBrowser(closed);
    const page = readText(await (await browser.follow(askForCode(browser, asked))).text());
    return page.replaceAll(asked, "EMAIL");
  };
  expect(await ask(email)).toEqual(await ask(unknown));
  const code = await closed.mailbox.codeFor(email);
  const setStatus = (status: string) =>
    closed.d1.prepare("UPDATE invitation SET status = ? WHERE id = ?").bind(status, id).run();

  // Cancelled after the code was sent: the answer is the one to a wrong code.
  await setStatus("canceled");
  const refused = await enterCode(newBrowser(closed), email, code);
  expect([refused.status, alertsOf(await refused.text())]).toEqual([400, ["Code is invalid"]]);

  await setStatus("pending");
  await closed.d1.prepare("DELETE FROM code_event").run();
  const browser = newBrowser(closed);
  await askForCode(browser, email);
  const entered = await enterCode(browser, email, await closed.mailbox.codeFor(email));
  expect(locationOf(entered)).toBe("/onboarding");
});

test("with sign-up off only an open invitation lets a person sign up", async () => {
  const past = { expires_at: Date.now() - 1 };
  const cases = [
    [{}, past],
    [{}, { status: "canceled" }],
    [{}, { status: "rejected" }],
    [{ disabled_at: Date.now() }, {}],
    [{ deletion_due_at: Date.now() + 86_400_000 }, {}],
  ] as const;
  const emails: string[] = [];
  for (const [state, overrides] of cases) {
    const { organization, ownerId } = await anOrganization(closed, state);
    const own = { organization_id: organization.id, inviter_id: ownerId };
    const { email } = await anInvitation(closed, { ...own, ...overrides });
    await askForCode(newBrowser(closed), email);
    emails.push(email);
  }

  const { results } = await closed.d1
    .prepare(
      "SELECT recipient FROM mail_outbox WHERE recipient IN (SELECT value FROM json_each(?))",
    )
    .bind(JSON.stringify(emails))
    .all();
  expect(results).toEqual([]);
});

test("a demonstration has no sign-up, not even for a configured admin or an invited person", async () => {
  await using demo = await startGatehouse({ vars: { DEMO: "true", ADMIN_EMAILS: ADMIN } });
  const { organization, ownerId } = await anOrganization(demo);
  const own = { organization_id: organization.id, inviter_id: ownerId };
  const { email: invited } = await anInvitation(demo, own);

  const mails = "SELECT count(*) AS n FROM mail_outbox WHERE recipient = ?";
  for (const email of [ADMIN, invited]) {
    await newBrowser(demo).submit("/login", { intent: "email", email });
    expect(await demo.d1.prepare(mails).bind(email).first<number>("n")).toBe(0);
  }
});

test("with sign-up off an existing user can sign in", async () => {
  const { browser } = await aSignedInUser(closed);

  expect((await browser.get("/app")).status).toBe(200);
});

test.each([
  ["", "Email is required"],
  ["nobody", "Email is invalid"],
  ["a@b", "Email is invalid"],
  [`${"x".repeat(250)}@example.com`, "Must be at most 254 characters"],
])("the e-mail %j on the login screen is answered with: %s", async (email, message) => {
  const browser = newBrowser(gatehouse);

  const response = await browser.submit("/login", { intent: "email", email });

  expect(response.status).toBe(400);
  const page = await response.text();
  expect(accessibleError(page, "email")).toBe(message);
  expect(readPage(page).field("email")?.value).toBe(email);
});

test.each([
  ["?email=", "Email is required"],
  ["", "Email is required"],
  ["?email=nobody", "Email is invalid"],
  ["?redirect=%2Fapp&email=%3Cscript%3E", "Email is invalid"],
])("the verify screen at %j redirects to the login screen with: %s", async (search, message) => {
  const browser = newBrowser(gatehouse);

  const response = await browser.get(`/login/verify${search}`);

  expect(locationOf(response)).toBe(
    search.includes("redirect") ? "/login?redirect=%2Fapp" : "/login",
  );
  expect(readText(await (await browser.follow(response)).text())).toContain(message);
});

const OUTSIDE = [
  "https://evil.example",
  "http://evil.example/app",
  "//evil.example",
  "//evil.example/app",
  "/\\evil.example",
  "\\\\evil.example",
  "/%09/evil.example",
  "/\t/evil.example",
  "/app\n//evil.example",
  "/..//evil.example",
  "/app/..//evil.example",
  "/%5cevil.example",
  "/app/%5c..%5c..",
  "/app/../../login",
  "javascript:alert(1)",
  "data:text/html,hello",
  "/login",
  "/application",
  "/api/auth/get-session",
  "app",
  "",
  `/app?${"x".repeat(3_000)}`,
];

test("a redirect outside the app and the manager area is ignored", async () => {
  const { browser } = await aSignedInUser(gatehouse);

  for (const target of OUTSIDE) {
    const search = new URLSearchParams({ redirect: target });
    const response = await browser.get(`/login?${search}`);
    expect([target, response.headers.get("location")]).toEqual([target, "/app"]);
  }
});

test("a redirect to another site is ignored at every step of a sign-in", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();
  const search = new URLSearchParams({ redirect: "//evil.example" });

  const asked = await browser.submit(`/login?${search}`, { intent: "email", email });
  expect(asked.headers.get("location")).toBe(`/login/verify?email=${encodeURIComponent(email)}`);
  const mail = await gatehouse.mailbox.mailFor(email);
  expect(mail.link).not.toContain("evil");
  search.set("email", email);
  const entered = await browser.submit(`/login/verify?${search}`, {
    intent: "verify",
    code: mail.code,
  });
  expect(entered.headers.get("location")).toBe("/onboarding");
  const page = await browser.get("/login?redirect=%2F%2Fevil.example");
  expect(page.headers.get("location")).toBe("/app");
  const named = await browser.submit("/onboarding?redirect=%2F%2Fevil.example", { name: "Zuri" });
  expect(named.headers.get("location")).toBe("/app");
});

test("a signed-in user is redirected from the sign-in screens", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const email = encodeURIComponent(newEmail());

  expect(locationOf(await browser.get("/login"))).toBe("/app");
  expect(locationOf(await browser.get("/login?redirect=%2Fapp%2Fx%3Fy%3D1%23z"))).toBe(
    "/app/x?y=1#z",
  );
  expect(locationOf(await browser.get(`/login/verify?email=${email}`))).toBe("/app");
  expect(locationOf(await browser.get("/login/error"))).toBe("/app");
});

test("a banned user sees the reason and the end, and gets no session", async () => {
  const until = Date.UTC(2031, 4, 6, 7, 8);
  const user = await aUser(gatehouse, { banned: 1, ban_reason: "<b>Spam</b>", ban_expires: until });
  const browser = newBrowser(gatehouse);
  await askForCode(browser, user.email);

  const code = await gatehouse.mailbox.codeFor(user.email);
  const response = await enterCode(browser, user.email, code);

  expect(locationOf(response)).toMatch(/^\/login\/error\?error=BANNED_USER/);
  const page = await (await browser.follow(response)).text();
  expect(readText(page)).toContain("Access Denied You have been banned from this application");
  expect(readText(page)).toContain("Reason <b>Spam</b> Until 6 May 2031 at 07:08 UTC");
  expect(page).not.toContain("<b>Spam");
  expect(await countSessions(user.email)).toBe(0);
});

test("a ban without an end says so, and another browser does not see the reason", async () => {
  const user = await aUser(gatehouse, { banned: 1, ban_reason: "Spam" });
  const browser = newBrowser(gatehouse);
  await askForCode(browser, user.email);
  const code = await gatehouse.mailbox.codeFor(user.email);

  const page = await browser.follow(enterCode(browser, user.email, code));
  expect(readText(await page.text())).toContain("Until No end date");

  const other = await newBrowser(gatehouse).get("/login/error?error=BANNED_USER");
  const text = readText(await other.text());
  expect(text).toContain("You have been banned from this application");
  expect(text).not.toContain("Spam");
});

test("an expired ban does not prevent a sign-in", async () => {
  const user = await aUser(gatehouse, { banned: 1, ban_expires: Date.now() - 1_000 });

  const response = await signIn(gatehouse, newBrowser(gatehouse), user.email);

  expect(locationOf(response)).toBe("/app");
});

test.each([
  ["signup_disabled", "Account not found", "You need an account to login"],
  ["access_denied", "Access Denied", "Not able to login, please try again"],
  ["unknown_error", "Something went wrong", "Failed to login, please try again"],
  ["<script>", "Something went wrong", "Failed to login, please try again"],
  ["", "Something went wrong", "Failed to login, please try again"],
])("the login error %j says: %s, %s", async (reason, title, text) => {
  const response = await newBrowser(gatehouse).get(
    `/login/error?error=${encodeURIComponent(reason)}`,
  );

  expect(response.status).toBe(200);
  expect(readText(await response.text())).toContain(`${title} ${text}`);
});

test("an e-mail in ADMIN_EMAILS becomes an admin at the next sign-in, with an audit record", async () => {
  const user = await aUser(gatehouse, { email: ADMIN });
  const browser = newBrowser(gatehouse);

  await browser.follow(signIn(gatehouse, browser, ADMIN));

  expect((await findUser(ADMIN))?.role).toBe("admin");
  expect((await browser.get("/manager/dashboard")).status).toBe(200);
  const { results } = await gatehouse.d1
    .prepare("SELECT details FROM audit_event WHERE action = 'user.promoted' AND target_id = ?")
    .bind(user.id)
    .all();
  expect(results).toEqual([{ details: '{"reason":"ADMIN_EMAILS"}' }]);
});

test("a new user in ADMIN_EMAILS is an admin at once", async () => {
  const browser = newBrowser(gatehouse);

  await signIn(gatehouse, browser, "second@example.com");

  expect((await findUser("second@example.com"))?.role).toBe("admin");
});

test("an admin who is not in ADMIN_EMAILS stays an admin", async () => {
  const { user } = await aSignedInUser(gatehouse, { role: "admin" });

  expect((await findUser(user.email))?.role).toBe("admin");
});

test("neither requesting a code nor a wrong code sets a session cookie", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();

  const asked = await askForCode(browser, email);
  const entered = await enterCode(browser, email, "000000");

  expect(setCookieOf(asked, "gatehouse.session_token")).toBeUndefined();
  expect(setCookieOf(entered, "gatehouse.session_token")).toBeUndefined();
});
