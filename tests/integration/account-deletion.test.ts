import { afterAll, expect, test } from "vitest";
import { ACCOUNT, askForDeletion, DELETION, enterDeletionCode } from "../support/account.ts";
import { accountDeletions } from "../support/account-deletion.ts";
import { auditOf } from "../support/audit.ts";
import { alertsOf, locationOf, newBrowser, readText } from "../support/client.ts";
import { anAdmin, aSignedInUser, aUser, signIn } from "../support/people.ts";
import { RACE_ROUNDS } from "../support/thoroughness.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const say = translationsIn("en");
const DAY_MS = 86_400_000;
const COOKIE = "gatehouse.session_token";

const gatehouse = await startGatehouse();
const { mailbox, d1 } = gatehouse;
afterAll(() => gatehouse[Symbol.asyncDispose]());

const { dueOf, actionsOf, aUserInGrace, deleteByCall } = accountDeletions(gatehouse);

test("a code starts seven days of grace, ends every session and sends a mail", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const other = newBrowser(gatehouse);
  await signIn(gatehouse, other, user.email);

  const consequences = [
    say("account:deletion.erases"),
    say("account:deletion.signsOut"),
    say("account:deletion.keep", { count: 7 }),
  ];
  const asked = await browser.submit(ACCOUNT, { intent: "request-deletion" });
  expect(locationOf(asked)).toBe(DELETION);
  const entry = readText(await (await browser.get(DELETION)).text());
  expect(entry).toContain(say("account:code.sent", { email: user.email }));
  expect(entry).toContain(say("account:deletion.confirm"));
  const shown = consequences.filter((sentence) => entry.includes(sentence));
  expect(shown).toEqual(consequences);
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

  const away = await browser.get("/app/organizations?searchTerm=x");
  expect(locationOf(away)).toBe("/restore?redirect=%2Fapp%2Forganizations%3FsearchTerm%3Dx");
  expect(locationOf(await browser.submit(ACCOUNT, { intent: "revoke-all" }))).toBe(
    "/restore?redirect=%2Fapp%2Faccount",
  );
  const due = new Date(Number(await dueOf(user.id)));
  const page = readText(await (await browser.follow(away)).text());
  expect(page).toContain(due.toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" }));
  expect(page).toContain(`Logged with ${user.email} Sign Out`);

  const kept = await browser.submit("/restore?redirect=%2Fapp%2Forganizations", {});
  expect(locationOf(kept)).toBe("/app/organizations");
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

  const options = await browser.get("/api/auth/passkey/generate-register-options");
  expect([options.status, await options.json()]).toMatchObject([403, closed]);
  for (const path of ["/link-social", "/delete-user"]) {
    const response = await browser.api(`/api/auth${path}`, { provider: "github" });
    expect([path, response.status, await response.json()]).toMatchObject([path, 403, closed]);
  }
  const search = encodeURIComponent(JSON.stringify({ searchTerm: "example" }));
  const found = await browser.get(`/_server/record-search?payload=${search}`);
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

test("the manager's user screen shows when an account will be erased", async () => {
  const { browser } = await anAdmin(gatehouse);
  const { user } = await aUserInGrace(2);
  const due = new Date(Number(await dueOf(user.id)));
  const date = `${due.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })} UTC`;

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

test("the second code requested on the screen has a toast, the first has only the screen's text", async () => {
  const { browser, user } = await aSignedInUser(gatehouse);
  const first = await browser.submit(DELETION, { intent: "resend" });
  expect(browser.cookies.has("gatehouse.toast")).toBe(false);
  expect(readText(await (await browser.follow(first)).text())).toContain(
    say("account:code.sent", { email: user.email }),
  );

  await d1
    .prepare("UPDATE account_code SET sent_at = sent_at - 61000 WHERE user_id = ?")
    .bind(user.id)
    .run();
  const second = await browser.submit(DELETION, { intent: "resend" });
  expect(readText(await (await browser.follow(second)).text())).toContain(say("login:resent"));
});
