import { afterAll, expect, test } from "vitest";
import { locationOf, newBrowser, readText, setCookieOf } from "../support/client.ts";
import { readPage } from "../support/page.ts";
import { aSignedInUser, askForCode, aUser, newEmail, signIn } from "../support/people.ts";
import { sessionRows } from "../support/sessions.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const COOKIE = "gatehouse.session_token";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const sessionsOf = sessionRows(gatehouse);

test("a session cookie is HttpOnly, Lax, for the whole site and 30 days", async () => {
  const browser = newBrowser(gatehouse);

  const response = await signIn(gatehouse, browser, newEmail());

  expect(setCookieOf(response, COOKIE)?.split("; ").slice(1).sort()).toEqual([
    "HttpOnly",
    "Max-Age=2592000",
    "Path=/",
    "SameSite=Lax",
  ]);
});

test("on an https origin the session and device cookies are Secure and bound to the host", async () => {
  await using secure = await startGatehouse({ vars: { BASE_URL: "https://gatehouse.example" } });
  const browser = newBrowser(secure);

  const response = await signIn(secure, browser, newEmail());
  const granting = response.headers
    .getSetCookie()
    .filter((line) => /session_token|device/.test(line));
  expect(granting.map((line) => line.split("=")[0])).toEqual([
    "__Host-gatehouse.session_token",
    "__Host-gatehouse.device",
  ]);
  for (const line of granting) {
    expect(line.split("; ").slice(1)).toEqual(
      expect.arrayContaining(["Path=/", "HttpOnly", "Secure", "SameSite=Lax"]),
    );
    expect(line).not.toMatch(/domain=/i);
  }

  const out = await browser.submit("/sign-out", {});
  expect(setCookieOf(out, "__Host-gatehouse.session_token")).toMatch(/; Max-Age=0;.*; Secure\b/);
  expect(browser.cookies.has("__Host-gatehouse.session_token")).toBe(false);
});

test("on an https origin every other cookie is Secure too, and a cookie without the host prefix is ignored", async () => {
  await using secure = await startGatehouse({ vars: { BASE_URL: "https://gatehouse.example" } });
  const browser = newBrowser(secure);
  const email = newEmail();
  const answers = [
    await browser.get("/login?lng=fr-CA"),
    await browser.submit("/preferences", { intent: "theme", value: "dark", back: "/login" }),
    await browser.submit("/login", { intent: "email", email }),
    await browser.get("/login/verify?email=nobody"),
  ];

  const lines = answers.flatMap((answer) => answer.headers.getSetCookie());
  const names = new Set(lines.map((line) => line.slice(0, line.indexOf("="))));
  expect([...names].sort()).toEqual([
    "__Host-gatehouse.asker",
    "__Host-gatehouse.code-sent",
    "__Host-gatehouse.theme",
    "__Host-gatehouse.toast",
    "i18next",
  ]);
  expect(lines.filter((line) => !/; Secure\b/.test(line) || /domain=/i.test(line))).toEqual([]);

  const page = await (await browser.get("/login")).text();
  expect(readPage(page).rootAttribute("lang")).toBe("fr");
  expect(readPage(page).rootAttribute("data-theme")).toBe("dark");
  expect(readText(page)).toContain(translationsIn("fr")("validation:email.invalid"));
  const planted = newBrowser(secure);
  planted.cookies.set("gatehouse.theme", browser.cookies.get("__Host-gatehouse.theme") ?? "");
  expect(await (await planted.get("/login")).text()).not.toContain('data-theme="dark"');
});

test("each sign-in makes a new session with a new token", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const first = browser.cookies.get(COOKIE);

  await signIn(gatehouse, newBrowser(gatehouse), user.email);
  const third = newBrowser(gatehouse);
  third.cookies.set(COOKIE, "");
  await signIn(gatehouse, third, user.email);

  const tokens = (await sessionsOf(user.id)).map(({ token }) => token);
  expect(new Set(tokens).size).toBe(3);
  expect(third.cookies.get(COOKIE)).not.toBe(first);
});

test("a sign-in never adopts a cookie that was there before", async () => {
  const { user: attacker, browser: ofAttacker } = await aSignedInUser(gatehouse);
  const planted = ofAttacker.cookies.get(COOKIE) ?? "";
  const user = await aUser(gatehouse);
  const forged = ["", "x", "token.signature", `${crypto.randomUUID()}.${planted.split(".")[1]}`];

  for (const value of forged) {
    const browser = newBrowser(gatehouse);
    browser.cookies.set(COOKIE, value);
    expect(locationOf(await browser.get("/app"))).toBe("/login?redirect=%2Fapp");
  }

  const browser = newBrowser(gatehouse);
  await askForCode(browser, user.email);
  browser.cookies.set(COOKIE, planted);
  const code = await gatehouse.mailbox.codeFor(user.email);
  const response = await browser.api("/api/auth/sign-in/email-otp", {
    email: user.email,
    otp: code,
  });
  expect(response.status).toBe(200);
  const token = decodeURIComponent(browser.cookies.get(COOKIE) ?? "").split(".")[0];
  expect(browser.cookies.get(COOKIE)).not.toBe(planted);
  expect((await sessionsOf(user.id)).map((session) => session.token)).toEqual([token]);
  expect(await sessionsOf(attacker.id)).toHaveLength(1);
});

test("no response body contains a session token", async () => {
  const browser = newBrowser(gatehouse);
  const { email } = await aUser(gatehouse);
  await browser.api("/api/auth/email-otp/send-verification-otp", { email, type: "sign-in" });
  const otp = await gatehouse.mailbox.codeFor(email);

  const signedIn = await browser.api("/api/auth/sign-in/email-otp", { email, otp });
  const token = decodeURIComponent(browser.cookies.get(COOKIE) ?? "").split(".")[0] ?? "";
  expect(token.length).toBeGreaterThanOrEqual(32);
  const bodies = [
    await signedIn.text(),
    ...(await Promise.all(
      ["/api/auth/get-session", "/app", "/app.data", "/_root.data"].map(async (path) =>
        (await browser.get(path)).text(),
      ),
    )),
    await (await browser.api("/api/auth/revoke-other-sessions")).text(),
    await (await browser.api("/api/auth/sign-out")).text(),
  ];

  for (const body of bodies) expect(body).not.toContain(token);
});

test("get-session answers the current user, and null to an anonymous visitor", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);

  const answer: { user: object; session: { id: string } } = JSON.parse(
    await (await browser.get("/api/auth/get-session")).text(),
  );
  expect(answer).toMatchObject({ user: { id: user.id, name: user.name, email: user.email } });
  expect(Object.keys(answer.user).sort()).toEqual(
    "avatar banExpires banReason banned createdAt deletionDueAt email emailVerified id image language name onboardedAt role termsDue theme updatedAt".split(
      " ",
    ),
  );
  expect(Object.keys(answer.session).sort()).toEqual([
    "activeOrganizationId",
    "activeTeamId",
    "authenticatedAt",
    "createdAt",
    "expiresAt",
    "id",
    "impersonatedBy",
    "impersonation",
    "ipAddress",
    "passkeyDemand",
    "passkeyGraceEndsAt",
    "token",
    "updatedAt",
    "userAgent",
    "userId",
  ]);
  // A session is named by its id; the token stays in the cookie.
  expect(answer.session).toMatchObject({ token: answer.session.id });
  const anonymous = await newBrowser(gatehouse).get("/api/auth/get-session");
  expect(anonymous.status).toBe(200);
  expect(await anonymous.json()).toBeNull();
});

test("signing out is recorded", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);

  await browser.submit("/sign-out", {});

  const { results } = await gatehouse.d1
    .prepare("SELECT action FROM audit_event WHERE actor_id = ? ORDER BY created_at")
    .bind(user.id)
    .all();
  expect(results.map(({ action }) => action)).toEqual([
    "user.created",
    "user.signed_in",
    "user.signed_out",
  ]);
});

test("signing out without a session ends on the login screen", async () => {
  const browser = newBrowser(gatehouse);

  const page = await browser.follow(browser.submit("/sign-out", {}));

  expect(page.status).toBe(200);
  expect(readText(await page.text())).toContain("You have been signed out.");
});

test("a GET of the sign-out URL signs nobody out", async () => {
  const { browser } = await aSignedInUser(gatehouse);

  await browser.get("/sign-out");

  expect((await browser.get("/app")).status).toBe(200);
});

test("when the server cannot end a session, the browser still deletes its cookie", async () => {
  await using broken = await startGatehouse();
  const { browser } = await aSignedInUser(broken);
  await broken.d1.exec("DROP TABLE session");
  broken.expectErrors("session.not_ended");

  const response = await browser.submit("/sign-out", {});

  expect(locationOf(response)).toBe("/login");
  expect(setCookieOf(response, COOKIE)).toMatch(/Max-Age=0/);
  expect(browser.cookies.has(COOKIE)).toBe(false);
});
