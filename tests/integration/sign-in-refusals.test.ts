import { afterAll, expect, test } from "vitest";
import { accessibleError, alertsOf, locationOf, newBrowser, readText } from "../support/client.ts";
import { anInvitation, anOrganization } from "../support/organizations.ts";
import { readPage } from "../support/page.ts";
import {
  aSignedInUser,
  askForCode,
  aUser,
  enterCode,
  newEmail,
  signIn,
} from "../support/people.ts";
import { sessionCounts } from "../support/users.ts";
import { startGatehouse } from "../support/worker.ts";

const ADMIN = "first-admin@example.com";

const gatehouse = await startGatehouse({ vars: { ADMIN_EMAILS: `${ADMIN}, second@example.com` } });
const closed = await startGatehouse({ vars: { SIGN_UP_ENABLED: "false", ADMIN_EMAILS: ADMIN } });
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await closed[Symbol.asyncDispose]();
});

const countSessions = sessionCounts(gatehouse);

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

test("with sign-up off the screens say so, and an unknown e-mail gets no code", async () => {
  const browser = newBrowser(closed);
  const email = newEmail("stranger");
  const login = readText(await (await browser.get("/login")).text());
  expect(login).toContain("Login");
  expect(login).not.toContain("Sign Up");
  expect(login).toContain("No account yet? Sign-up is not open to everyone right now.");
  expect(login).toContain("Ask the team that runs this application for an account.");

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
      // Two answers may differ by a second.
      String(seen)
        .replaceAll(email, "EMAIL")
        .replace(/\d:\d\d|\d+ seconds/g, "WAIT"),
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
  const owner = await aUser(closed, { role: "admin" });
  const { organization, ownerId } = await anOrganization(closed, {}, { owner });
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
  await closed.d1.prepare("DELETE FROM sign_in_code").run();
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
  const owner = await aUser(closed, { role: "admin" });
  for (const [state, overrides] of cases) {
    const { organization, ownerId } = await anOrganization(closed, state, { owner });
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
