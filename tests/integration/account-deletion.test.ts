import { afterAll, expect, test } from "vitest";
import {
  ACCOUNT,
  ageCodes,
  askForDeletion,
  DELETION,
  enterDeletionCode,
} from "../support/account.ts";
import { auditOf } from "../support/audit.ts";
import { alertsOf, type Browser, locationOf, newBrowser, readText } from "../support/client.ts";
import {
  anAdmin,
  aSignedInUser,
  askForCode,
  aUser,
  aUserSignedInByCode,
  enterCode,
  manyUsers,
  openSession,
  type Person,
  signIn,
  wrongCode,
} from "../support/people.ts";
import { RACE_ROUNDS } from "../support/thoroughness.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const say = translationsIn("en");
const DAY_MS = 86_400_000;
const COOKIE = "gatehouse.session_token";

const gatehouse = await startGatehouse();
gatehouse.expectErrors("account.erasure_refused", "account.erasure_failed");
const { mailbox, d1 } = gatehouse;
afterAll(() => gatehouse[Symbol.asyncDispose]());

async function dueOf(id: string): Promise<number | null> {
  return d1
    .prepare("SELECT deletion_due_at FROM user WHERE id = ?")
    .bind(id)
    .first("deletion_due_at");
}

async function exists(id: string): Promise<boolean> {
  return (await d1.prepare("SELECT id FROM user WHERE id = ?").bind(id).first()) !== null;
}

async function actionsOf(id: string): Promise<string[]> {
  return (await auditOf(gatehouse, id)).map(({ action }) => action);
}

/** Makes a signed-in user who confirmed the deletion so many days ago. */
async function aUserInGrace(daysAgo: number, overrides: Partial<Person> = {}) {
  const { user, browser } = await aSignedInUser(gatehouse, overrides);
  await d1
    .prepare("UPDATE user SET deletion_due_at = ? WHERE id = ?")
    .bind(Date.now() + (7 - daysAgo) * DAY_MS, user.id)
    .run();
  return { user, browser };
}

/** Runs the hourly cron trigger for one of the next full hours. */
function runHourly(hoursAhead = 1): Promise<void> {
  const hour = 3_600_000;
  return gatehouse.runHourly(new Date((Math.floor(Date.now() / hour) + hoursAhead) * hour));
}

async function anOrganization(members: [userId: string, role: string][]): Promise<string> {
  const id = crypto.randomUUID();
  await d1.batch([
    d1
      .prepare("INSERT INTO organization (id, name, slug, created_at) VALUES (?1, ?1, ?1, 1)")
      .bind(id),
    ...members.map(([userId, role]) =>
      d1
        .prepare(
          "INSERT INTO member (id, organization_id, user_id, role, created_at) VALUES (?, ?, ?, ?, 1)",
        )
        .bind(crypto.randomUUID(), id, userId, role),
    ),
  ]);
  return id;
}

test("a code starts seven days of grace, ends every session and sends a mail", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const other = newBrowser(gatehouse);
  await signIn(gatehouse, other, user.email);

  const account = readText(await (await browser.get(ACCOUNT)).text());
  expect(account).toContain(say("account:deletion.text", { count: 7 }));
  const asked = await browser.submit(ACCOUNT, { intent: "request-deletion" });
  expect(locationOf(asked)).toBe(DELETION);
  const entry = readText(await (await browser.get(DELETION)).text());
  expect(entry).toContain(say("account:code.sent", { email: user.email }));
  expect(entry).toContain(say("account:deletion.confirm"));
  expect(entry).not.toContain(say("account:deletion.text", { count: 7 }));
  const mail = await mailbox.mailFor(user.email, ({ code }) => code !== "");
  expect(mail.text).toContain(say("mail:accountCode.delete"));

  const done = await enterDeletionCode(browser, mail.code);

  const login = locationOf(done) ?? "";
  expect(login).toMatch(/^\/login\?deletion=\d{4}-\d{2}-\d{2}$/);
  expect(browser.cookies.has(COOKIE)).toBe(false);
  const due = Number(await dueOf(user.id));
  expect(Math.abs(due - Date.now() - 7 * DAY_MS)).toBeLessThan(60_000);
  const date = new Date(due).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
  // A reload shows the message too.
  for (const page of [await browser.follow(done), await browser.get(login)]) {
    expect(readText(await page.text())).toContain(say("account:deletion.started", { date }));
  }
  expect(locationOf(await other.get("/app"))).toBe("/login?redirect=%2Fapp");
  expect((await auditOf(gatehouse, user.id)).at(-1)).toEqual({
    action: "user.deletion_started",
    actorId: user.id,
    details: { dueAt: new Date(due).toISOString() },
  });
  const subject = say("mail:deletionStarted.subject");
  const news = await mailbox.mailFor(user.email, (candidate) => candidate.subject === subject);
  expect(news.link).toBe(`${gatehouse.origin}/login`);
});

test("signing in during the grace period offers to keep the account, then leads to the requested page", async () => {
  const { user, browser } = await aUserInGrace(3);

  const away = await browser.get("/app/repositories?searchTerm=x");
  expect(locationOf(away)).toBe("/restore?redirect=%2Fapp%2Frepositories%3FsearchTerm%3Dx");
  expect(locationOf(await browser.submit(ACCOUNT, { intent: "revoke-all" }))).toBe(
    "/restore?redirect=%2Fapp%2Faccount",
  );
  const due = new Date(Number(await dueOf(user.id)));
  const page = readText(await (await browser.follow(away)).text());
  expect(page).toContain(due.toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" }));
  expect(page).toContain(user.email);

  const kept = await browser.submit("/restore?redirect=%2Fapp%2Frepositories", {});
  expect(locationOf(kept)).toBe("/app/repositories");
  expect(readText(await (await browser.follow(kept)).text())).toContain(
    say("account:restore.done"),
  );
  expect(await dueOf(user.id)).toBeNull();
  expect((await actionsOf(user.id)).at(-1)).toBe("user.deletion_cancelled");

  // Keeping the account again changes nothing and makes no second record.
  expect(locationOf(await browser.submit("/restore", {}))).toBe("/app");
  const cancelled = (await actionsOf(user.id)).filter((action) => /cancelled/.test(action));
  expect(cancelled).toHaveLength(1);
});

test("the API is closed in the grace period, like the screens", async () => {
  await aUser(gatehouse, { role: "admin" });
  const { user, browser } = await aUserInGrace(3, { role: "admin" });
  const closed = { code: "ACCOUNT_BEING_DELETED" };

  for (const path of ["/admin/list-users", "/passkey/generate-register-options"]) {
    const response = await browser.get(`/api/auth${path}`);
    expect([path, response.status, await response.json()]).toEqual([path, 403, closed]);
  }
  for (const path of ["/link-social", "/delete-user"]) {
    const response = await browser.api(`/api/auth${path}`, { provider: "github" });
    expect([path, response.status, await response.json()]).toEqual([path, 403, closed]);
  }
  const search = encodeURIComponent(JSON.stringify({ searchTerm: "example" }));
  const found = await browser.get(`/_server/palette-search?payload=${search}`);
  expect([found.status, await found.json()]).toEqual([403, { error: closed }]);
  expect(
    await d1.prepare("SELECT 1 FROM account_code WHERE user_id = ?").bind(user.id).first(),
  ).toBeNull();
});

test("in the grace period a user can read and end sessions", async () => {
  const { user, browser } = await aUserInGrace(3);
  const other = newBrowser(gatehouse);
  await signIn(gatehouse, other, user.email);

  const own = await browser.get("/api/auth/get-session");
  expect(await own.json()).toMatchObject({ user: { id: user.id } });
  expect((await browser.api("/api/auth/revoke-other-sessions")).status).toBe(200);
  expect(await (await other.get("/api/auth/get-session")).json()).toBeNull();
  expect((await browser.api("/api/auth/sign-out")).status).toBe(200);
  expect(browser.cookies.has(COOKIE)).toBe(false);
});

test("the redirect after keeping an account leads only to the product", async () => {
  const { browser } = await aUserInGrace(3);

  for (const odd of ["https://evil.example", "//evil.example", "/restore/../login", "x"]) {
    const search = new URLSearchParams({ redirect: odd });
    const response = await browser.submit(`/restore?${search}`, {});
    expect(response.headers.get("location")).toMatch(/^\/app\b/);
  }
});

test("a user without a name is asked about the deletion first", async () => {
  const { browser } = await aUserInGrace(1, { onboarded_at: null, name: "" });

  expect(locationOf(await browser.get("/app"))).toBe("/restore?redirect=%2Fapp");
  await browser.submit("/restore", {});
  expect(locationOf(await browser.get("/app"))).toBe("/onboarding?redirect=%2Fapp");
});

test("the last admin cannot start the deletion, with no code and with a code", async () => {
  await using alone = await startGatehouse();
  const { user, browser } = await anAdmin(alone);

  const response = await browser.submit("/manager/account", { intent: "request-deletion" });

  expect(response.status).toBe(409);
  expect(alertsOf(await response.text())).toEqual([say("codes:LAST_ADMIN")]);
  expect(alone.mailbox.mails).toEqual([]);

  // A second admin exists when the code is sent, and no longer when it is entered.
  const other = await aUser(alone, { role: "admin" });
  await browser.submit("/manager/account", { intent: "request-deletion" });
  const code = await alone.mailbox.codeFor(user.email);
  await alone.d1.prepare("UPDATE user SET role = 'user' WHERE id = ?").bind(other.id).run();
  const late = await browser.submit("/manager/account/delete", { intent: "verify", code });
  expect(late.status).toBe(409);
  expect(alertsOf(await late.text())).toEqual([say("codes:LAST_ADMIN")]);
  expect((await browser.get("/manager/dashboard")).status).toBe(200);
});

test("when two admins delete their accounts at once, one remains", async () => {
  await using pair = await startGatehouse();
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const people = await Promise.all([anAdmin(pair), anAdmin(pair)]);
    // Removes the admin left by the previous round.
    await pair.d1
      .prepare("UPDATE user SET role = 'user' WHERE role = 'admin' AND id NOT IN (?, ?)")
      .bind(...people.map(({ user }) => user.id))
      .run();
    const codes: string[] = [];
    for (const { user, browser } of people) {
      codes.push(await askForDeletion(pair, browser, user.email));
    }

    const statuses = await Promise.all(
      people.map(async ({ browser }, index) => {
        return (await enterDeletionCode(browser, codes[index] ?? "")).status;
      }),
    );

    expect(statuses.sort()).toEqual([302, 409]);
  }
});

test("a sole owner cannot leave an organization with members; an organization without other members is deleted too", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const other = await aUser(gatehouse);
  const shared = await anOrganization([
    [user.id, "owner"],
    [other.id, "member"],
  ]);
  const own = await anOrganization([[user.id, "owner"]]);

  const response = await browser.submit(ACCOUNT, { intent: "request-deletion" });
  expect(response.status).toBe(409);
  expect(alertsOf(await response.text())).toEqual([say("codes:SOLE_OWNER")]);

  await d1.prepare("UPDATE member SET role = 'owner' WHERE user_id = ?").bind(other.id).run();
  await enterDeletionCode(browser, await askForDeletion(gatehouse, browser, user.email));
  await d1.prepare("UPDATE user SET deletion_due_at = 1 WHERE id = ?").bind(user.id).run();
  await runHourly();

  const { results } = await d1.prepare("SELECT id FROM organization").all<{ id: string }>();
  expect(results.map(({ id }) => id)).toContain(shared);
  expect(results.map(({ id }) => id)).not.toContain(own);
  expect(await exists(user.id)).toBe(false);
  expect(await auditOf(gatehouse, own)).toEqual([
    { action: "organization.erased", actorId: null, details: { name: own } },
  ]);
  expect(await actionsOf(shared)).toEqual([]);
});

test("a code that is wrong, expired, of another session or of another purpose deletes nothing", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const other = newBrowser(gatehouse);
  await signIn(gatehouse, other, user.email);
  await browser.submit("/app/account/confirm", { intent: "resend" });
  const confirming = await mailbox.codeFor(user.email);
  expect((await enterDeletionCode(browser, confirming)).status).toBe(400);

  const code = await askForDeletion(gatehouse, browser, user.email);
  expect((await enterDeletionCode(other, code)).status).toBe(400);
  const wrong = await enterDeletionCode(browser, wrongCode(code));
  expect(alertsOf(await wrong.text())).toEqual([say("validation:code.invalid")]);
  await ageCodes(gatehouse, user.id, 5);
  const late = await enterDeletionCode(browser, code);
  expect(alertsOf(await late.text())).toEqual([say("codes:OTP_EXPIRED")]);
  expect(readText(await (await browser.get(DELETION)).text())).toContain(
    say("account:code.willSend", { email: user.email }),
  );
  expect(await dueOf(user.id)).toBeNull();
  expect((await browser.get("/app")).status).toBe(200);
});

test("a second request within a minute keeps the first code", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const code = await askForDeletion(gatehouse, browser, user.email);

  expect(locationOf(await browser.submit(ACCOUNT, { intent: "request-deletion" }))).toBe(DELETION);
  const soon = await browser.submit(DELETION, { intent: "resend" });
  expect(soon.status).toBe(429);
  expect(alertsOf(await soon.text())[0]).toMatch(/^You can ask for another code in \d+ seconds?$/);

  expect(locationOf(await enterDeletionCode(browser, code))).toMatch(/^\/login\?deletion=/);
});

test("50 entries of one code at once make one audit record and one mail", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const { user, browser } = await aSignedInUser(gatehouse);
    const code = await askForDeletion(gatehouse, browser, user.email);
    const session = browser.cookies.get(COOKIE) ?? "";

    const responses = await Promise.all(
      Array.from({ length: 50 }, () => {
        const own = newBrowser(gatehouse);
        own.cookies.set(COOKIE, session);
        return enterDeletionCode(own, code);
      }),
    );

    expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
    const started = (await actionsOf(user.id)).filter((action) => /deletion_started/.test(action));
    expect(started).toHaveLength(1);
    const mails = await d1
      .prepare(
        "SELECT count(*) AS n FROM mail_outbox WHERE recipient = ? AND kind = 'deletion-started'",
      )
      .bind(user.email)
      .first("n");
    expect(mails).toBe(1);
  }
});

test.each([
  ["without an end", null],
  ["with an end", Date.now() + 40 * DAY_MS],
])("a ban %s outlives the account, under a keyed hash of the e-mail", async (_, until) => {
  const { user } = await aUserInGrace(7);
  await d1
    .prepare("UPDATE user SET banned = 1, ban_reason = 'spam', ban_expires = ? WHERE id = ?")
    .bind(until, user.id)
    .run();
  await runHourly();
  expect(await exists(user.id)).toBe(false);

  const browser = newBrowser(gatehouse);
  await askForCode(browser, user.email);
  const code = (await mailbox.mailFor(user.email, (mail) => mail.code !== "")).code;
  const response = await enterCode(browser, user.email, code);

  expect(locationOf(response)).toMatch(/^\/login\/error\?error=BANNED_USER/);
  const page = readText(await (await browser.follow(response)).text());
  expect(page).toContain(say("codes:BANNED_USER"));
  expect(page).not.toContain("spam");
  expect(browser.cookies.has(COOKIE)).toBe(false);
  const found = await d1.prepare("SELECT 1 FROM user WHERE email = ?").bind(user.email).first();
  expect(found).toBeNull();
  const kept = await d1.prepare("SELECT mailbox, expires_at FROM banned_mailbox").all();
  expect(JSON.stringify(kept.results)).not.toContain("example.com");

  // After the ban's end the e-mail can sign up again.
  await d1.exec("UPDATE banned_mailbox SET expires_at = 1");
  await askForCode(browser, user.email);
  const next = await mailbox.mailFor(user.email, (mail) => !["", code].includes(mail.code));
  await enterCode(browser, user.email, next.code);
  expect(browser.cookies.has(COOKIE)).toBe(true);
  await runHourly(2);
  expect((await d1.prepare("SELECT 1 FROM banned_mailbox").all()).results).toEqual([]);
});

test("an expired ban leaves nothing after the erasure", async () => {
  const { user } = await aUserInGrace(7);
  await d1.prepare("UPDATE user SET banned = 1, ban_expires = 1 WHERE id = ?").bind(user.id).run();

  await runHourly();

  expect(await exists(user.id)).toBe(false);
  expect((await d1.prepare("SELECT 1 FROM banned_mailbox").all()).results).toEqual([]);
});

test("the manager's user screen shows when an account will be erased", async () => {
  const { browser } = await anAdmin(gatehouse);
  const { user } = await aUserInGrace(2);
  const due = new Date(Number(await dueOf(user.id)));
  const date = `${due.toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" })} UTC`;

  const page = readText(await (await browser.get(`/manager/users/${user.id}`)).text());

  expect(page).toContain(say("users:detail.deletionOn", { date }));
});

test("an impersonating manager can neither delete nor keep the account", async () => {
  const { user: manager } = await anAdmin(gatehouse);
  const { user, browser } = await aUserInGrace(2);
  await d1
    .prepare("UPDATE session SET impersonated_by = ? WHERE user_id = ?")
    .bind(manager.id, user.id)
    .run();

  expect((await browser.get("/app")).status).toBe(200);
  expect(locationOf(await browser.get(DELETION))).toBe("/app/account");
  expect(locationOf(await browser.submit(ACCOUNT, { intent: "request-deletion" }))).toBe(ACCOUNT);
  expect(await deleteByCall(browser, {})).toMatchObject({
    status: 403,
    body: { code: "CLOSED_WHILE_IMPERSONATING" },
  });
  const sent = await d1
    .prepare("SELECT 1 FROM account_code WHERE user_id = ?")
    .bind(user.id)
    .first();
  expect(sent).toBeNull();
  await browser.submit("/restore", {});
  expect(await dueOf(user.id)).not.toBeNull();
});

// ── The endpoint delete-user ──────────────────────────────────────────────────────────────────────────────────────

async function deleteByCall(browser: Browser, body: object) {
  const response = await browser.api("/api/auth/delete-user", body);
  return { status: response.status, body: JSON.parse(await response.text()), response };
}

test("delete-user sends a code, and starts the grace period with it", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);

  expect(await deleteByCall(browser, {})).toMatchObject({
    status: 200,
    body: { code: "CODE_SENT" },
  });
  expect(await deleteByCall(browser, {})).toMatchObject({
    status: 429,
    body: { code: "RESEND_TOO_SOON" },
  });
  const otp = await mailbox.codeFor(user.email);
  for (const bad of ["12345", "abcdef", "", 7, null, [otp], { otp }]) {
    expect(await deleteByCall(browser, { otp: bad })).toMatchObject({
      status: 400,
      body: { code: "INVALID_OTP" },
    });
  }
  expect(await deleteByCall(browser, { otp: wrongCode(otp) })).toMatchObject({
    status: 400,
    body: { code: "INVALID_OTP" },
  });
  expect(await dueOf(user.id)).toBeNull();

  expect(await deleteByCall(browser, { otp })).toMatchObject({
    status: 200,
    body: { code: "DELETION_STARTED" },
  });
  expect(browser.cookies.has(COOKIE)).toBe(false);
  expect(await dueOf(user.id)).not.toBeNull();
  expect(await deleteByCall(browser, { otp })).toMatchObject({
    status: 401,
    body: { code: "UNAUTHORIZED" },
  });
});

test("delete-user answers the screen's refusals with their error codes", async () => {
  await using alone = await startGatehouse();
  const { browser } = await anAdmin(alone);
  expect(await deleteByCall(browser, {})).toMatchObject({
    status: 409,
    body: { code: "LAST_ADMIN" },
  });

  const { user, browser: owner } = await aSignedInUser(gatehouse);
  const other = await aUser(gatehouse);
  await anOrganization([
    [user.id, "owner"],
    [other.id, "member"],
  ]);
  expect(await deleteByCall(owner, {})).toMatchObject({
    status: 409,
    body: { code: "SOLE_OWNER" },
  });

  const { user: late, browser: ofLate } = await aUserSignedInByCode(gatehouse);
  expect(await deleteByCall(ofLate, { otp: "123456" })).toMatchObject({
    status: 400,
    body: { code: "OTP_EXPIRED" },
  });
  await deleteByCall(ofLate, {});
  const otp = await mailbox.codeFor(late.email);
  const codes = [];
  for (let tries = 0; tries < 4; tries++) {
    codes.push((await deleteByCall(ofLate, { otp: wrongCode(otp) })).body.code);
  }
  expect(codes).toEqual(["INVALID_OTP", "INVALID_OTP", "TOO_MANY_ATTEMPTS", "TOO_MANY_ATTEMPTS"]);
  for (let count = 0; count < 3; count++) await askForCode(newBrowser(gatehouse), late.email);
  await ageCodes(gatehouse, late.id, 1);
  ofLate.cookies.delete("gatehouse.device");
  const refused = await deleteByCall(ofLate, {});
  expect(refused).toMatchObject({ status: 429, body: { code: "TOO_MANY_CODES" } });
  expect(Number(refused.response.headers.get("retry-after"))).toBeGreaterThan(60);
});

// ── The end of the grace period ───────────────────────────────────────────────────────────────────────────────────

/** Returns every `table.column` of the product that contains a text. */
async function findAnywhere(text: string): Promise<string[]> {
  const { results: tables } = await d1
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%STRICT%'")
    .all<{ name: string }>();
  const found: string[] = [];
  for (const { name } of tables) {
    const { results } = await d1.prepare(`SELECT * FROM ${name}`).all();
    for (const row of results) {
      for (const [column, value] of Object.entries(row)) {
        if (String(value).toLowerCase().includes(text.toLowerCase()))
          found.push(`${name}.${column}`);
      }
    }
  }
  return [...new Set(found)].sort();
}

test("an erased user leaves only an opaque id in the audit log", async () => {
  const { user: manager, browser: ofManager } = await anAdmin(gatehouse);
  const name = "Zuberi Kwaheri";
  const old = "kwaheri-before@example.com";
  const { user, browser } = await aSignedInUser(gatehouse, { email: old });
  await browser.submit(ACCOUNT, { intent: "change-name", name });
  const email = "kwaheri@example.com";
  await ofManager.submit(`/manager/users/${user.id}/update`, {
    intent: "save",
    version: "2",
    ...{ name, email, role: "user" },
  });
  expect(await findAnywhere(email)).toEqual(expect.arrayContaining(["user.email"]));
  const other = await aUser(gatehouse);
  const organization = await anOrganization([
    [other.id, "owner"],
    [user.id, "member"],
  ]);
  await d1.batch([
    d1
      .prepare(
        "INSERT INTO invitation (id, organization_id, email, expires_at, inviter_id, created_at) VALUES ('i1', ?, ?, 1, ?, 1)",
      )
      .bind(organization, email, other.id),
    d1
      .prepare(
        "INSERT INTO account (id, account_id, provider_id, user_id, created_at, updated_at) VALUES ('a1', 's1', 'github', ?, 1, 1)",
      )
      .bind(user.id),
    d1
      .prepare(
        "INSERT INTO passkey (id, public_key, user_id, credential_id, counter, device_type, backed_up, created_at) VALUES ('p1', 'k', ?, 'c1', 0, 'x', 0, 1)",
      )
      .bind(user.id),
    d1
      .prepare(
        "INSERT INTO audit_event (id, action, actor_id, target_type, target_id, place, created_at) VALUES ('e1', 'user.updated', ?1, 'user', ?1, 'Kwaheri, KE', 1)",
      )
      .bind(user.id),
  ]);
  await askForCode(newBrowser(gatehouse), email);
  const guard = await d1.prepare("SELECT count(*) AS n FROM code_event").first<number>("n");
  const picture = crypto.randomUUID();
  await gatehouse.avatars?.put(picture, "x", { customMetadata: { user: user.id } });
  await d1.prepare("UPDATE user SET avatar = ? WHERE id = ?").bind(picture, user.id).run();
  const mailsBefore = mailbox.mails.length;
  await enterDeletionCode(browser, await askForDeletion(gatehouse, browser, email));
  await d1
    .prepare("UPDATE user SET deletion_due_at = ? WHERE id = ?")
    .bind(Date.now(), user.id)
    .run();

  await runHourly();
  await gatehouse.runScheduled(new Date(Date.now() + 7_200_000 + 90_000));
  await runHourly(2);

  expect(await gatehouse.avatars?.head(picture)).toBeNull();
  for (const text of [email, old, name, "zuberi", "kwaheri"]) {
    expect([text, await findAnywhere(text)]).toEqual([text, []]);
  }
  expect(await findAnywhere(user.id)).toEqual(["audit_event.actor_id", "audit_event.target_id"]);
  expect(await d1.prepare("SELECT count(*) AS n FROM code_event").first<number>("n")).toBeLessThan(
    Number(guard),
  );
  const found = await d1
    .prepare("SELECT count(*) AS n FROM user_search WHERE user_search MATCH '\"kwaheri\"'")
    .first("n");
  expect(found).toBe(0);

  const { results: record } = await d1
    .prepare(
      "SELECT action, actor_id, details, ip_address, user_agent, place FROM audit_event WHERE target_id = ?",
    )
    .bind(user.id)
    .all<Record<string, string | null>>();
  expect(record.map(({ action }) => action)).toEqual(
    expect.arrayContaining(["user.created", "user.signed_in", "user.updated", "user.erased"]),
  );
  for (const { details, ip_address, user_agent, place } of record) {
    expect([details, ip_address, user_agent, place]).toEqual([null, null, null, null]);
  }
  expect(record.find(({ action }) => action === "user.erased")?.actor_id).toBeNull();
  expect(record.filter(({ actor_id }) => actor_id === manager.id)).toHaveLength(1);
  const farewells = mailbox.mails
    .slice(mailsBefore)
    .filter(({ to, subject }) => to === email && subject === say("mail:deletionDone.subject"));
  expect(farewells).toHaveLength(1);
  expect((await ofManager.get("/manager/audit")).status).toBe(200);
  // The e-mail can sign up again.
  expect((await askForCode(newBrowser(gatehouse), email)).status).toBe(302);
});

test("an account is not erased early, and not after its deletion was cancelled", async () => {
  const { user: early } = await aUserInGrace(6.9);
  const { user: kept, browser } = await aUserInGrace(7.1);
  await browser.submit("/restore", {});

  await runHourly();

  expect(await exists(early.id)).toBe(true);
  expect(await exists(kept.id)).toBe(true);
  expect(await actionsOf(kept.id)).not.toContain("user.erased");
});

test("concurrent cron runs erase each account once and send one mail", async () => {
  const people = await Promise.all(Array.from({ length: 12 }, () => aUserInGrace(8)));

  await Promise.all([runHourly(), runHourly(), runHourly()]);
  await Promise.all(
    [1, 2, 3].map((n) => gatehouse.runScheduled(new Date(Date.now() + 7_230_000 + n))),
  );

  for (const { user } of people) {
    expect(await exists(user.id)).toBe(false);
    const erased = (await actionsOf(user.id)).filter((action) => action === "user.erased");
    expect(erased).toHaveLength(1);
    const farewells = mailbox.mails.filter(
      ({ to, subject }) => to === user.email && subject === say("mail:deletionDone.subject"),
    );
    expect(farewells).toHaveLength(1);
  }
});

test("an account that cannot be erased delays no other, and is erased when it can be", async () => {
  const { user: stuck } = await aUserInGrace(9);
  const { user: owner } = await aUserInGrace(8.5);
  const other = await aUser(gatehouse);
  const organization = await anOrganization([
    [owner.id, "owner"],
    [other.id, "member"],
  ]);
  const { user: next } = await aUserInGrace(8);
  await d1.exec(
    `CREATE TRIGGER stuck BEFORE DELETE ON user WHEN OLD.id = '${stuck.id}' BEGIN SELECT RAISE(ABORT, 'broken'); END`,
  );

  await runHourly();
  expect([await exists(stuck.id), await exists(owner.id), await exists(next.id)]).toEqual([
    true,
    true,
    false,
  ]);
  // The transaction was rolled back as a whole.
  const { results } = await d1
    .prepare("SELECT ip_address FROM audit_event WHERE target_id = ? AND action = 'user.signed_in'")
    .bind(stuck.id)
    .all<{ ip_address: string | null }>();
  expect(results.map(({ ip_address }) => ip_address)).not.toContain(null);

  await d1.exec("DROP TRIGGER stuck");
  await d1.prepare("DELETE FROM organization WHERE id = ?").bind(organization).run();
  await runHourly();
  expect([await exists(stuck.id), await exists(owner.id)]).toEqual([false, false]);
});

test("50 accounts that cannot be erased do not block the next one", async () => {
  // Accounts of other tests, due within the hours of this one, would take places.
  await d1.exec("UPDATE user SET deletion_due_at = NULL WHERE deletion_due_at IS NOT NULL");
  const due = (count: number, deletion_due_at: number) =>
    Array.from({ length: count }, () => ({ name: "Stuck", deletion_due_at }));
  await manyUsers(gatehouse, due(50, 1));
  const [last] = await manyUsers(
    gatehouse,
    due(1, 2).map((row) => ({ ...row, name: "Last" })),
  );
  await d1.exec(
    "CREATE TRIGGER stuck BEFORE DELETE ON user WHEN OLD.name = 'Stuck' BEGIN SELECT RAISE(ABORT, 'broken'); END",
  );

  // A run tries 50.
  await runHourly();
  expect(await exists(last?.id ?? "")).toBe(true);
  await runHourly(2);
  expect(await exists(last?.id ?? "")).toBe(false);

  await d1.exec("DROP TRIGGER stuck");
  await runHourly(3);
  expect(await d1.prepare("SELECT id FROM user WHERE name = 'Stuck'").first()).toBeNull();
});

test("an erasure keeps another user's mails to an e-mail that the erased user once had", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { browser: ofManager } = await anAdmin(gatehouse);
  const left = user.email;
  await ofManager.submit(`/manager/users/${user.id}/update`, {
    intent: "save",
    version: "1",
    ...{ name: user.name, email: `moved-${left}`, role: "user" },
  });
  // The e-mail change ended the user's sessions.
  await openSession(gatehouse, browser, user.id);
  const heir = await aUserSignedInByCode(gatehouse, { email: left });
  await enterDeletionCode(browser, await askForDeletion(gatehouse, browser, `moved-${left}`));
  await d1.prepare("UPDATE user SET deletion_due_at = 1 WHERE id = ?").bind(user.id).run();

  await runHourly();

  expect(await exists(user.id)).toBe(false);
  const kept = await d1
    .prepare("SELECT count(*) AS n FROM mail_outbox WHERE recipient = ?")
    .bind(left)
    .first<number>("n");
  expect(kept).toBeGreaterThan(0);
  expect((await heir.browser.get("/app")).status).toBe(200);
});

test("the second code requested on the screen is announced as a new one, the first is not", async () => {
  const { browser, user } = await aSignedInUser(gatehouse);
  const first = await browser.submit(DELETION, { intent: "resend" });
  expect(readText(await (await browser.follow(first)).text())).toContain(say("account:code.first"));

  await d1
    .prepare("UPDATE account_code SET sent_at = sent_at - 61000 WHERE user_id = ?")
    .bind(user.id)
    .run();
  const second = await browser.submit(DELETION, { intent: "resend" });
  expect(readText(await (await browser.follow(second)).text())).toContain(say("login:resent"));
});
