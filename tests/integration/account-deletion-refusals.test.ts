import { afterAll, expect, test } from "vitest";
import {
  ACCOUNT,
  ageCodes,
  askForDeletion,
  DELETION,
  enterDeletionCode,
  useUpOwnCodes,
} from "../support/account.ts";
import { accountDeletions } from "../support/account-deletion.ts";
import { auditOf } from "../support/audit.ts";
import { alertsOf, locationOf, newBrowser, readText } from "../support/client.ts";
import { readPage } from "../support/page.ts";
import {
  anAdmin,
  aSignedInUser,
  askForCode,
  aUser,
  aUserSignedInByCode,
  enterCode,
  signIn,
  wrongCode,
} from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const say = translationsIn("en");
const DAY_MS = 86_400_000;
const COOKIE = "gatehouse.session_token";

const gatehouse = await startGatehouse({ vars: { PLAN: "paid" } });
const { mailbox, d1 } = gatehouse;
afterAll(() => gatehouse[Symbol.asyncDispose]());

const { dueOf, exists, actionsOf, aUserInGrace, runErasure, anOrganization, deleteByCall } =
  accountDeletions(gatehouse);

test("a sole owner cannot leave an organization with members; an organization without other members is deleted too", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const other = await aUser(gatehouse);
  const shared = await anOrganization([
    [user.id, "owner"],
    [other.id, "member"],
  ]);
  const own = await anOrganization([[user.id, "owner"]]);

  // The reason, with links to both ways out, stands in place of the button.
  const before = readPage(await (await browser.get(ACCOUNT)).text());
  expect(before.find("button", say("account:deletion.title"))).toBeUndefined();
  expect(before.linkTo(new RegExp(say("account:deletion.chooseOwner")))).toBe(
    `/app/organizations/${shared}/members`,
  );
  expect(before.linkTo(new RegExp(say("account:deletion.deleteOrganization")))).toBe(
    `/app/organizations/${shared}/settings`,
  );
  const response = await browser.submit(ACCOUNT, { intent: "request-deletion" });
  expect(response.status).toBe(409);
  // One message, which names the organization.
  const page = await response.text();
  expect(alertsOf(page)).toEqual([
    expect.stringContaining(say("account:deletion.handOver", { count: 1, name: shared })),
  ]);

  await d1.prepare("UPDATE member SET role = 'owner' WHERE user_id = ?").bind(other.id).run();
  await enterDeletionCode(browser, await askForDeletion(gatehouse, browser, user.email));
  await d1.prepare("UPDATE user SET deletion_due_at = 1 WHERE id = ?").bind(user.id).run();
  await runErasure();

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

test.each([
  ["without an end", null],
  ["with an end", Date.now() + 40 * DAY_MS],
])("a ban %s outlives the account, under a keyed hash of the e-mail", async (_, until) => {
  const { user } = await aUserInGrace(7);
  await d1
    .prepare("UPDATE user SET banned = 1, ban_reason = 'spam', ban_expires = ? WHERE id = ?")
    .bind(until, user.id)
    .run();
  await runErasure();
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
  await gatehouse.runHourly(new Date(Date.now() + 2 * 3_600_000));
  expect((await d1.prepare("SELECT 1 FROM banned_mailbox").all()).results).toEqual([]);
});

// ── The endpoint delete-user ──────────────────────────────────────────────────────────────────────────────────────

test("delete-user sends a code, and starts the grace period with it", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);

  expect(await deleteByCall(browser, {})).toMatchObject({
    status: 400,
    body: { code: "OTP_REQUIRED" },
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
  await useUpOwnCodes(gatehouse, late.email);
  await ageCodes(gatehouse, late.id, 1);
  const refused = await deleteByCall(ofLate, {});
  expect(refused).toMatchObject({ status: 429, body: { code: "TOO_MANY_CODES" } });
  expect(Number(refused.response.headers.get("retry-after"))).toBeGreaterThan(60);
});
