import { afterAll, expect, test } from "vitest";
import { locationOf, newBrowser, readText, setCookieOf } from "../support/client.ts";
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
const gatehouse = await startGatehouse({
  vars: { ADMIN_EMAILS: `${ADMIN}, second@example.com, third@example.com` },
});
afterAll(() => gatehouse[Symbol.asyncDispose]());

function findUser(email: string) {
  return gatehouse.d1
    .prepare("SELECT * FROM user WHERE email = ?")
    .bind(email)
    .first<{ id: string; role: string; email_verified: number; onboarded_at: number | null }>();
}

const countSessions = sessionCounts(gatehouse);

test("the start page redirects to the login screen", async () => {
  const browser = newBrowser(gatehouse);

  expect(locationOf(await browser.get("/"))).toBe("/login");
});

test("an e-mail that looks like a typo is asked about before a code is sent, and sent to once it is said again", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail("typo").replace("example.com", "gmial.com");
  const meant = email.replace("gmial", "gmail");
  const mails = () =>
    gatehouse.d1
      .prepare("SELECT count(*) AS n FROM mail_outbox WHERE recipient = ?")
      .bind(email)
      .first<number>("n");

  const asked = await browser.submit("/login?redirect=%2Fapp%3Ftab%3D1", { email });
  expect(asked.status).toBe(400);
  const page = readPage(await asked.text());
  expect(page.text()).toMatch(/Did you mean typo-\d+@gmail\.com \? If not, continue once more\./);
  const link = page.find("link", meant)?.getAttribute("href");
  expect(link).toBe(`/login?redirect=%2Fapp%3Ftab%3D1&email=${encodeURIComponent(meant)}`);
  expect(await mails()).toBe(0);

  const again = await browser.submit("/login", { email, asTyped: email });
  expect(locationOf(again)).toBe(`/login/verify?email=${encodeURIComponent(email)}`);
  expect(await mails()).toBe(1);
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
  expect(link.hash).toMatch(new RegExp(`^#key=[\\w-]{32}&code=${mail.code}$`));
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
  // The action's name says why.
  expect(results).toEqual([{ details: null }]);
});

test("a new user in ADMIN_EMAILS is an admin at once", async () => {
  const browser = newBrowser(gatehouse);

  await signIn(gatehouse, browser, "second@example.com");

  expect((await findUser("second@example.com"))?.role).toBe("admin");
});

test("the first sign-in of an e-mail in ADMIN_EMAILS answers the role of an admin", async () => {
  const browser = newBrowser(gatehouse);
  const email = "third@example.com";
  await askForCode(browser, email);
  const otp = await gatehouse.mailbox.codeFor(email);

  const answer = await browser.api("/api/auth/sign-in/email-otp", { email, otp });

  expect(await answer.json()).toMatchObject({ user: { email, role: "admin" } });
  const session = await (await browser.get("/api/auth/get-session")).json();
  expect(session).toMatchObject({ user: { email, role: "admin" } });
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
