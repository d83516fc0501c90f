import { afterAll, beforeEach, expect, test } from "vitest";
import { askForChange } from "../support/account.ts";
import { auditOf } from "../support/audit.ts";
import {
  addPasskey,
  newAuthenticator,
  optionsFor,
  signInWithPasskey,
} from "../support/authenticator.ts";
import { type Browser, locationOf, newBrowser, readText } from "../support/client.ts";
import { anAdmin, aSignedInUser, aUser, openSession, type Person } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

// Who has a passkey changes sign-in methods only in a session that a passkey has proven. While
// managers must use one, that holds for the whole account, and a mailbox alone lets no manager in.

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const CONFIRM = "/api/auth/passkey/confirm-session";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
beforeEach(() => require(undefined));

const newKey = () => newAuthenticator({ origin: gatehouse.origin });

/** Requires passkeys of managers since some days ago, or no longer. */
async function require(days: number | undefined) {
  const since = days === undefined ? null : Date.now() - days * DAY_MS;
  await gatehouse.d1
    .prepare("UPDATE site_setting SET manager_passkeys_since = ?")
    .bind(since)
    .run();
}

async function aHolder(overrides: Partial<Person> = {}) {
  const { user, browser } = await aSignedInUser(gatehouse, overrides);
  const key = newKey();
  expect((await addPasskey(browser, key)).status).toBe(200);
  const passkeyId = await passkeyOf(user.id);
  return { user, browser, key, passkeyId };
}

async function passkeyOf(userId: string) {
  const id = await gatehouse.d1
    .prepare("SELECT id FROM passkey WHERE user_id = ? ORDER BY created_at DESC")
    .bind(userId)
    .first<string>("id");
  return id ?? "";
}

/** A session as after a one-time code: what a thief of the mailbox gets. */
async function aSessionByCode({ id }: Pick<Person, "id">) {
  const browser = newBrowser(gatehouse);
  await openSession(gatehouse, browser, id);
  return browser;
}

async function confirm(browser: Browser, key: ReturnType<typeof newKey>) {
  const { challenge } = await optionsFor(browser, "authenticate");
  return browser.api(CONFIRM, { response: key.get(challenge) });
}

function count(table: "passkey" | "session", userId: string) {
  return gatehouse.d1
    .prepare(`SELECT count(*) AS n FROM ${table} WHERE user_id = ?`)
    .bind(userId)
    .first<number>("n");
}

async function codeOf(answer: Response) {
  const { code }: { code?: string } = JSON.parse(await answer.text());
  return [answer.status, code];
}

/** Tries to add a passkey and returns how it is refused, the same for both calls. */
async function refusalToAdd(browser: Browser) {
  const options = await browser.get("/api/auth/passkey/generate-register-options");
  const added = await browser.api("/api/auth/passkey/verify-registration", {
    response: newKey().create("AAAA"),
  });
  const [first, second] = [await codeOf(options), await codeOf(added)];
  expect(first).toEqual(second);
  return second;
}

/** Everything that a session of the owner can change about the account, beside the name. */
const FORMS = [
  ["/app/account", { intent: "revoke-others" }],
  ["/app/account", { intent: "revoke-all" }],
  ["/app/account", { intent: "revoke", session: "any" }],
  ["/app/account", { intent: "change-email", email: "other@example.net" }],
  ["/app/account", { intent: "request-deletion" }],
  ["/app/account", { intent: "link", provider: "github" }],
  ["/app/account", { intent: "unlink", account: "any" }],
  ["/app/account/delete", { intent: "resend" }],
] as const;
const CALLS = [
  ["/revoke-sessions", {}],
  ["/revoke-other-sessions", {}],
  ["/delete-user", {}],
  ["/link-social", { provider: "github" }],
] as const;

test("a mailbox adds and removes no passkey beside the owner's, whether managers need one or not", async () => {
  const { user, browser: own, key, passkeyId } = await aHolder();
  const thief = await aSessionByCode(user);
  const proof = (next: string) =>
    `/app/account/confirm?${new URLSearchParams({ next, passkey: "" })}`;

  expect(await refusalToAdd(thief)).toEqual([403, "PASSKEY_REQUIRED"]);
  const remove = { intent: "remove-passkey", passkey: passkeyId };
  expect(locationOf(await thief.submit("/app/account", remove))).toBe(proof("/app/account"));
  const add = "/app/account?state=add-passkey";
  expect(locationOf(await thief.get(add))).toBe(proof(add));
  expect(await codeOf(await thief.api("/api/auth/link-social", { provider: "github" }))).toEqual([
    403,
    "PASSKEY_REQUIRED",
  ]);
  expect(await count("passkey", user.id)).toBe(1);

  // The screen takes a passkey alone, and leads back.
  const page = readText(await (await thief.get(proof(add))).text());
  expect(page).toContain("Confirm with a passkey");
  expect(page).not.toContain("Send me a code");
  expect((await confirm(thief, key)).status).toBe(200);
  expect((await addPasskey(thief, newKey())).status).toBe(200);

  // The session that added the passkey is proven by it.
  expect(locationOf(await own.submit("/app/account", remove))).toBe("/app/account");
  expect(await count("passkey", user.id)).toBe(1);
});

test("a user without a passkey adds the first one by the mailbox alone", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);

  expect((await addPasskey(browser, newKey())).status).toBe(200);
  expect(await count("passkey", user.id)).toBe(1);
});

test("the mailbox of a manager who has a passkey opens no back-office and changes nothing", async () => {
  const { user, browser: own, key, passkeyId } = await aHolder({ role: "admin" });
  await require(30);
  const thief = await aSessionByCode(user);

  expect(await refusalToAdd(thief)).toEqual([403, "PASSKEY_REQUIRED"]);
  const forms = [
    ...FORMS,
    ["/app/account", { intent: "remove-passkey", passkey: passkeyId }],
    ["/app/account", { intent: "rename-passkey", passkey: passkeyId, passkeyName: "Mine" }],
  ] as const;
  for (const [path, fields] of forms) {
    const answer = await thief.submit(path, fields);
    expect([fields.intent, locationOf(answer)]).toEqual([
      fields.intent,
      expect.stringContaining("/app/account/confirm?"),
    ]);
  }
  for (const [path, body] of CALLS) {
    const answer = await codeOf(await thief.api(`/api/auth${path}`, body));
    expect([path, answer]).toEqual([path, [403, "PASSKEY_REQUIRED"]]);
  }
  // A code proves nothing here.
  const code = await thief.submit("/app/account/confirm", { intent: "resend" });
  expect(code.status).toBe(403);
  expect(locationOf(await thief.get("/manager/users"))).toContain("/manager/passkey?");
  expect([await count("passkey", user.id), await count("session", user.id)]).toEqual([1, 2]);
  const codes = "SELECT count(*) AS n FROM account_code WHERE user_id = ?";
  expect(await gatehouse.d1.prepare(codes).bind(user.id).first("n")).toBe(0);

  // The owner's session is proven.
  expect((await own.get("/manager/users")).status).toBe(200);
  expect((await confirm(thief, key)).status).toBe(200);
  expect((await thief.get("/manager/users")).status).toBe(200);
});

test("where a passkey is required of a manager, only a passkey is a fresh proof", async () => {
  const { user, browser, key } = await aHolder({ role: "admin" });
  const target = await aUser(gatehouse);
  await require(30);
  const screen = `/manager/users/${target.id}`;
  const ban = () => browser.submit(screen, { intent: "ban", duration: "7" });
  const proof = `/manager/account/confirm?next=${encodeURIComponent(screen)}`;
  // Proven by a passkey long ago, and by a code now.
  await gatehouse.d1
    .prepare("UPDATE session SET passkey_proved_at = ?, authenticated_at = ? WHERE user_id = ?")
    .bind(Date.now() - HOUR_MS, Date.now(), user.id)
    .run();

  expect(locationOf(await ban())).toBe(proof);
  expect(readText(await (await browser.get(proof)).text())).not.toContain("Send me a code");
  expect((await confirm(browser, key)).status).toBe(200);
  expect(locationOf(await ban())).toBe(screen);
});

test("a removed passkey opens nothing any more, in any session that it has proven", async () => {
  const { user, browser: own, passkeyId, key } = await aHolder({ role: "admin" });
  const other = newKey();
  expect((await addPasskey(own, other)).status).toBe(200);
  await require(30);
  const [thief, second] = [newBrowser(gatehouse), newBrowser(gatehouse)];
  await signInWithPasskey(thief, key);
  await signInWithPasskey(second, other);
  for (const browser of [thief, second]) {
    expect((await browser.get("/manager/users")).status).toBe(200);
  }

  await own.submit("/manager/account", { intent: "remove-passkey", passkey: passkeyId });

  expect(locationOf(await thief.get("/manager/users"))).toContain("/manager/passkey?");
  expect((await second.get("/manager/users")).status).toBe(200);
  expect((await own.get("/manager/users")).status).toBe(200);
  expect(await count("session", user.id)).toBe(3);
});

test("after the grace period a manager without a passkey adds one only when another admin has let them", async () => {
  const admin = await aHolder({ role: "admin", name: "Mona Manager" });
  const late = await aSignedInUser(gatehouse, { role: "support" });
  await require(30);
  const gate = "/manager/passkey?next=%2Fmanager%2Fusers";
  const screen = `/manager/users/${late.user.id}`;
  const shown = async (browser: Browser, path: string) =>
    readText(await (await browser.get(path)).text());

  expect(locationOf(await late.browser.get("/manager/users"))).toBe(gate);
  expect(await shown(late.browser, gate)).toContain("Ask another admin to let you add one");
  expect(await refusalToAdd(late.browser)).toEqual([403, "PASSKEY_REQUIRED"]);
  expect(locationOf(await late.browser.get("/app/account?state=add-passkey"))).toContain(
    "/manager/passkey?",
  );
  for (const [path, fields] of FORMS) {
    expect(locationOf(await late.browser.submit(path, fields))).toContain("/manager/passkey?");
  }

  expect(await shown(admin.browser, screen)).toContain("Let them add a passkey");
  const release = { intent: "release-passkey" };
  expect(locationOf(await admin.browser.submit(screen, release))).toBe(screen);
  expect(await shown(admin.browser, screen)).toContain("This manager may add a passkey until");
  const mail = await gatehouse.mailbox.mailFor(late.user.email);
  expect(mail.subject).toBe("You can now add a passkey");
  expect((await auditOf(gatehouse, late.user.id)).map(({ action }) => action)).toContain(
    "user.passkey_released",
  );

  expect(await shown(late.browser, gate)).toContain("Add one to continue.");
  expect((await addPasskey(late.browser, newKey())).status).toBe(200);
  expect((await late.browser.get("/manager/users")).status).toBe(200);

  // It held for one passkey: without that one the manager asks again.
  await gatehouse.d1.prepare("DELETE FROM passkey WHERE user_id = ?").bind(late.user.id).run();
  const again = await aSessionByCode(late.user);
  expect(await refusalToAdd(again)).toEqual([403, "PASSKEY_REQUIRED"]);
});

test("an admin's leave to add a passkey ends after a day, and is given to no one who needs none", async () => {
  const admin = await aHolder({ role: "admin" });
  const late = await aSignedInUser(gatehouse, { role: "admin" });
  const plain = await aUser(gatehouse);
  await require(30);
  const release = (id: string) =>
    admin.browser.follow(
      admin.browser.submit(`/manager/users/${id}`, { intent: "release-passkey" }),
    );

  await release(late.user.id);
  await gatehouse.d1
    .prepare("UPDATE user SET passkey_release_until = passkey_release_until - ? WHERE id = ?")
    .bind(DAY_MS + 60_000, late.user.id)
    .run();
  expect(await refusalToAdd(late.browser)).toEqual([403, "PASSKEY_REQUIRED"]);
  expect(readText(await (await release(plain.id)).text())).toContain("needs no permission");
  expect(readText(await (await release(admin.user.id)).text())).toContain(
    "You can't do this to yourself",
  );
});

test("a manager who is not asked for a passkey changes the account as any user", async () => {
  await require(30);
  const { browser } = await aSignedInUser(gatehouse);
  const inGrace = await anAdmin(gatehouse);
  expect(locationOf(await askForChange(browser, "new-address@example.net"))).toContain("newEmail=");
  await require(1);
  expect((await addPasskey(inGrace.browser, newKey())).status).toBe(200);
});
