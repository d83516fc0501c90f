import { afterAll, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import { locationOf, newBrowser, readText, setCookieOf } from "../support/client.ts";
import { impersonations, readNext } from "../support/impersonation.ts";
import { statementsOn } from "../support/insert.ts";
import { anAdmin, aSignedInUser, aUser, impersonate, type Person } from "../support/people.ts";
import { userPath as pathOf } from "../support/users.ts";
import { startGatehouse } from "../support/worker.ts";

const COOKIE = "gatehouse.session_token";
const RETURN_COOKIE = "gatehouse.admin_session";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const { sessionsOf, anImpersonation } = impersonations(gatehouse);

const run = statementsOn(gatehouse);

test("an impersonation sends no mail, records no sign-in and keeps the user's last visit", async () => {
  const { browser, person } = await anImpersonation({ last_seen_at: 5 });
  await browser.get("/app");
  await browser.get("/app/organizations");

  const { results: mails } = await gatehouse.d1
    .prepare("SELECT * FROM mail_outbox WHERE recipient = ?")
    .bind(person.email)
    .all();
  const row = await gatehouse.d1
    .prepare("SELECT last_seen_at FROM user WHERE id = ?")
    .bind(person.id)
    .first<Person>();
  expect(mails).toEqual([]);
  expect(row?.last_seen_at).toBe(5);
  const actions = (await auditOf(gatehouse, person.id)).map(({ action }) => action);
  expect(actions).not.toContain("user.signed_in");
});

test("an admin who requests the code for deleting their account keeps impersonating", async () => {
  const { admin, browser, own, person } = await anImpersonation();
  await anAdmin(gatehouse);
  const tab = newBrowser(gatehouse);
  tab.cookies.set(COOKIE, own ?? "");

  const asked = await tab.submit("/manager/account", { intent: "request-deletion" });

  expect(locationOf(asked)).toBe("/manager/account/delete");
  expect(await sessionsOf(person.id)).toHaveLength(1);
  expect((await browser.get("/app")).status).toBe(200);
  const due = await gatehouse.d1
    .prepare("SELECT deletion_due_at FROM user WHERE id = ?")
    .bind(admin.id)
    .first("deletion_due_at");
  expect(due).toBeNull();
});

test("an impersonation cannot be prolonged", async () => {
  const { browser, person } = await anImpersonation();
  const [before] = await sessionsOf(person.id);
  await run(
    "UPDATE session SET updated_at = 1, expires_at = expires_at - 60000 WHERE user_id = ?",
    person.id,
  );

  const response = await browser.get("/app");
  await run("UPDATE session SET expires_at = expires_at + 9999999 WHERE user_id = ?", person.id);

  expect(setCookieOf(response, COOKIE)).toBeUndefined();
  const [after] = await sessionsOf(person.id);
  expect(after?.expires_at).toBe((before?.expires_at ?? 0) - 60_000);
});

test("the manager area is closed while impersonating, also when the user is promoted", async () => {
  const { browser, person } = await anImpersonation();

  for (const promoted of [false, true]) {
    if (promoted) await run("UPDATE user SET role = 'admin' WHERE id = ?", person.id);
    const answers = [
      await browser.get("/manager"),
      await browser.get("/manager/users"),
      await browser.get("/manager/users.data?_routes=routes%2Fmanager%2Fusers"),
      await browser.submit(pathOf(person.id), { intent: "delete" }),
      await impersonate(browser, person.id),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
    expect(readText((await answers[0]?.text()) ?? "")).toContain(
      "Mona Manager is impersonating Zuri",
    );
    const home = await (await browser.get("/app")).text();
    expect(home).not.toContain('href="/manager"');
  }
});

test("an impersonator cannot end the user's sessions; signing out ends only the impersonation", async () => {
  const { user: person, browser: theirs } = await aSignedInUser(gatehouse);
  const { browser } = await anAdmin(gatehouse);
  await impersonate(browser, person.id);

  for (const path of ["/api/auth/revoke-sessions", "/api/auth/revoke-other-sessions"]) {
    const response = await browser.api(path);
    expect([response.status, await response.json()]).toMatchObject([
      403,
      { code: "CLOSED_WHILE_IMPERSONATING" },
    ]);
  }
  expect(await sessionsOf(person.id)).toHaveLength(2);

  const out = await browser.api("/api/auth/sign-out");
  expect(await out.json()).toEqual({ url: pathOf(person.id), redirect: true });
  expect((await theirs.get("/app")).status).toBe(200);
  expect((await browser.get(pathOf(person.id))).status).toBe(200);
  const actions = (await auditOf(gatehouse, person.id)).map(({ action }) => action);
  expect(actions).toEqual([
    "user.created",
    "user.signed_in",
    "user.impersonated",
    "user.impersonation_stopped",
  ]);
});

test("the account screen refuses an impersonator's changes with a message", async () => {
  const { user: person, browser: theirs } = await aSignedInUser(gatehouse);
  const { browser } = await anAdmin(gatehouse);
  await impersonate(browser, person.id);
  const sessions = await sessionsOf(person.id);
  const forms: [path: string, fields: Record<string, string>][] = [
    ["/app/account", { intent: "revoke", session: sessions[0]?.id ?? "" }],
    ["/app/account", { intent: "revoke-others" }],
    ["/app/account", { intent: "revoke-all" }],
    ["/app/account", { intent: "change-name", name: "Somebody Else" }],
    ["/app/account", { intent: "change-email", email: "elsewhere@example.com" }],
    ["/app/account", { intent: "rename-passkey", passkey: "any", passkeyName: "Mine" }],
    ["/app/account", { intent: "remove-passkey", passkey: "any" }],
    ["/app/account", { intent: "link", provider: "oidc" }],
    ["/app/account", { intent: "unlink", account: "any" }],
    ["/app/account", { intent: "request-deletion" }],
    ["/app/account/delete", { intent: "verify", code: "123456" }],
    ["/app/account/picture", { intent: "remove" }],
    ["/app/account/confirm?next=%2Fapp", { intent: "resend" }],
  ];

  for (const [path, fields] of forms) {
    const response = await browser.submit(path, fields);
    expect(locationOf(response)).toBe(path);
    const { text } = await readNext(browser, response);
    expect(text).toContain("This is not available while impersonating");
  }

  expect(await sessionsOf(person.id)).toEqual(sessions);
  const row = await gatehouse.d1
    .prepare("SELECT name, email, deletion_due_at, avatar FROM user WHERE id = ?")
    .bind(person.id)
    .first();
  expect(row).toEqual({
    name: person.name,
    email: person.email,
    deletion_due_at: null,
    avatar: null,
  });
  expect((await theirs.get("/app")).status).toBe(200);
});

test("get-session names the impersonating admin and the end", async () => {
  const { admin, browser, person } = await anImpersonation();
  const [session] = await sessionsOf(person.id);

  const answer: unknown = await (await browser.get("/api/auth/get-session")).json();

  expect(answer).toMatchObject({
    user: { id: person.id, role: "user" },
    session: {
      impersonatedBy: admin.id,
      impersonation: {
        manager: "Mona Manager",
        endsAt: new Date(session?.expires_at ?? 0).toISOString(),
      },
    },
  });
});

test("an impersonation makes no extra query for a page", async () => {
  const { browser } = await anImpersonation();

  for (const path of ["/app", "/app/organizations", "/api/auth/get-session"]) {
    const response = await browser.get(path);
    expect(Number(response.headers.get("x-d1-calls"))).toBeLessThanOrEqual(3);
  }
  browser.cookies.delete(COOKIE);
  expect((await browser.get("/login")).headers.get("x-d1-calls")).toBe("0");
});

test("on an https origin the return cookie is Secure and bound to the host", async () => {
  await using secure = await startGatehouse({ vars: { BASE_URL: "https://gatehouse.example" } });
  const { browser } = await anAdmin(secure);
  const person = await aUser(secure);

  const response = await impersonate(browser, person.id);

  for (const name of [`__Host-${COOKIE}`, `__Host-${RETURN_COOKIE}`]) {
    expect(setCookieOf(response, name)).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  }
  expect((await browser.get("/app")).status).toBe(200);
});

test("the banner shows on error pages too, and pages without an impersonation make no query", async () => {
  const { browser } = await anImpersonation();
  const pages: [path: string, status: number][] = [
    ["/nowhere", 404],
    ["/app/organizations/unknown", 404],
    ["/manager", 403],
  ];
  for (const [path, status] of pages) {
    const response = await browser.get(path);
    expect(response.status).toBe(status);
    expect(readText(await response.text())).toContain("Mona Manager is impersonating Zuri");
  }
  await run("ALTER TABLE invitation RENAME TO invitation_away");
  gatehouse.expectErrors("request.failed");
  try {
    const response = await browser.get("/app/organizations");
    expect(response.status).toBe(500);
    expect(readText(await response.text())).toContain("Mona Manager is impersonating Zuri");
  } finally {
    await run("ALTER TABLE invitation_away RENAME TO invitation");
  }
});

test("the account screen says why it is closed, and a download redirects to it", async () => {
  const { browser } = await anImpersonation();
  const html = await (await browser.get("/app/account?state=change-name")).text();

  expect(readText(html)).toContain("Changes are turned off.");
  expect(html).not.toContain("<dialog");
  expect(locationOf(await browser.get("/app/account/data"))).toBe("/app/account");
});
