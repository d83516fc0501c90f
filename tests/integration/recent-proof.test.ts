import { afterAll, expect, test } from "vitest";
import { FRESH_MINUTES } from "../../app/values/limits.ts";
import { auditOf } from "../support/audit.ts";
import {
  addPasskey,
  newAuthenticator,
  optionsFor,
  signInWithPasskey,
} from "../support/authenticator.ts";
import { type Browser, locationOf, newBrowser, readText } from "../support/client.ts";
import { anOrganization } from "../support/organizations.ts";
import { readPage } from "../support/page.ts";
import {
  aSignedInUser,
  aUser,
  impersonate,
  newEmail,
  openSession,
  type Person,
} from "../support/people.ts";
import { makeProofOld } from "../support/sessions.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const DAY_MS = 86_400_000;
const ADMIN_EMAIL = newEmail("owner");
const say = translationsIn("en");

const gatehouse = await startGatehouse({ vars: { ADMIN_EMAILS: ADMIN_EMAIL } });
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { organization } = await anOrganization(gatehouse);
const subject = await aUser(gatehouse, { name: "Subject" });

const USER = `/manager/users/${subject.id}`;
const NOBODY = "/manager/users/nobody";

function findPerson(id: string) {
  return gatehouse.d1.prepare("SELECT * FROM user WHERE id = ?").bind(id).first<Person>();
}

test("a stale session is led to the proof before what cannot be undone, and nothing changes", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { role: "admin" });
  const { id } = await aUser(gatehouse);
  const before = await findPerson(id);
  await makeProofOld(gatehouse, user);
  const confirm = (path: string) => `/manager/account/confirm?next=${encodeURIComponent(path)}`;
  const screen = `/manager/users/${id}`;

  for (const [path, fields] of [
    [screen, { intent: "ban", duration: "7" }],
    [
      `/manager/organizations/${organization.id}`,
      { intent: "delete", typedName: organization.name },
    ],
  ] as const) {
    expect([path, locationOf(await browser.submit(path, fields))]).toEqual([path, confirm(path)]);
  }
  // Of a list the chosen rows and the action are kept, in place of those that an earlier proof has kept.
  for (const [path, fields] of [
    ["/manager/users?sort=name", { intent: "delete", id }],
    ["/manager/users?id=old&asked=ban", { intent: "set-role", id, role: "support" }],
    ["/manager/users", { intent: "ban", id }],
  ] as const) {
    const kept = `&id=${fields.id}&asked=${fields.intent}`;
    expect([path, locationOf(await browser.submit(path, fields))]).toEqual([
      path,
      confirm(path.replace("?id=old&asked=ban", "")) + kept,
    ]);
  }
  expect(locationOf(await impersonate(browser, id))).toBe(confirm(screen));
  expect(await findPerson(id)).toEqual(before);
  const left = await gatehouse.d1
    .prepare("SELECT deletion_due_at FROM organization WHERE id = ?")
    .bind(organization.id)
    .first();
  expect(left).toEqual({ deletion_due_at: null });

  const form = { name: "Renamed", email: before?.email ?? "", version: "1" };
  const refused = await browser.submit(`${screen}/update`, { ...form, role: "admin" });
  expect(locationOf(refused)).toBe(confirm(`${screen}/update`));
  expect(await findPerson(id)).toEqual(before);
  // Without a change of roles no proof is asked for.
  expect(locationOf(await browser.submit(`${screen}/update`, { ...form, role: "user" }))).toBe(
    screen,
  );
});

test("without JavaScript the screens offer the proof before a form is filled, from ten minutes on", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { role: "admin" });
  const shown = async () => readText(await (await browser.get(USER)).text());
  await makeProofOld(gatehouse, user, 9);
  expect(await shown()).not.toContain(say("common:proof.first"));
  await makeProofOld(gatehouse, user, 11);
  expect(await shown()).toContain(say("common:proof.first"));
});

test("the minutes that the sentences name are those that are enforced", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { role: "admin" });
  const count = FRESH_MINUTES;
  const shown = async (path: string) => readText(await (await browser.get(path)).text());
  expect(await shown("/manager/settings/security")).toContain(
    say("settings:roles.proof", { count }),
  );
  expect(await shown("/manager/account/confirm")).toContain(say("account:confirm.text", { count }));

  await makeProofOld(gatehouse, user, count - 1);
  expect(locationOf(await browser.submit(NOBODY, { intent: "unban" }))).toBeUndefined();
  await makeProofOld(gatehouse, user, count + 1);
  expect(locationOf(await browser.submit(NOBODY, { intent: "unban" }))).toContain("/confirm?");
});

test("a form below a dialog is answered without a redirect, by the right code once", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { role: "admin" });
  const other = await aSignedInUser(gatehouse, { role: "admin" });
  await makeProofOld(gatehouse, user);
  await makeProofOld(gatehouse, other.user);
  const over = "/manager/account/confirm?over=";
  expect(locationOf(await browser.submit(over, { intent: "resend" }))).toBeUndefined();
  const code = await gatehouse.mailbox.codeFor(user.email);

  // A code is bound to its session, and proves nothing in another.
  const verify = { intent: "verify", code };
  expect((await other.browser.submit(over, verify)).status).toBe(400);
  expect(locationOf(await other.browser.submit(NOBODY, { intent: "unban" }))).toContain(
    "/confirm?",
  );

  const answers = await Promise.all([1, 2, 3].map(() => browser.submit(over, verify)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  expect(answers.map((answer) => locationOf(answer))).toEqual([undefined, undefined, undefined]);
  expect(locationOf(await browser.submit(NOBODY, { intent: "unban" }))).toBeUndefined();

  // After a sign-out the earlier cookie proves nothing.
  const cookie = browser.cookies.get("gatehouse.session_token") ?? "";
  await browser.submit("/sign-out", {});
  const late = newBrowser(gatehouse);
  late.cookies.set("gatehouse.session_token", cookie);
  expect(locationOf(await late.submit(over, { intent: "resend" }))).toContain("/login");
});

async function aPasskeyHolder(overrides: Partial<Person> = {}) {
  const { user, browser } = await aSignedInUser(gatehouse, { role: "admin", ...overrides });
  const authenticator = newAuthenticator({ origin: gatehouse.origin });
  expect((await addPasskey(browser, authenticator)).status).toBe(200);
  return { user, browser, authenticator };
}

async function confirmWithPasskey(
  browser: Browser,
  authenticator: ReturnType<typeof newAuthenticator>,
) {
  const { challenge } = await optionsFor(browser, "authenticate");
  return { response: authenticator.get(challenge) };
}

const CONFIRM = "/api/auth/passkey/confirm-session";

test("a passkey proves the session once, with a record and without a new session", async () => {
  const { user, browser, authenticator } = await aPasskeyHolder();
  await makeProofOld(gatehouse, user);
  const sessions = () =>
    gatehouse.d1
      .prepare("SELECT count(*) AS n FROM session WHERE user_id = ?")
      .bind(user.id)
      .first<number>("n");
  const cookie = browser.cookies.get("gatehouse.session_token");
  const assertion = await confirmWithPasskey(browser, authenticator);

  const answers = await Promise.all([1, 2, 3].map(() => browser.api(CONFIRM, assertion)));

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  expect(await sessions()).toBe(1);
  expect(browser.cookies.get("gatehouse.session_token")).toBe(cookie);
  const events = (await auditOf(gatehouse, user.id)).map(({ action }) => action);
  expect(events.filter((action) => action === "session.confirmed")).toHaveLength(1);
  expect(locationOf(await browser.submit(NOBODY, { intent: "unban" }))).toBeUndefined();
});

test("a passkey of another user proves nothing", async () => {
  const { user, browser } = await aPasskeyHolder();
  const { authenticator } = await aPasskeyHolder();
  await makeProofOld(gatehouse, user);

  const refused = await browser.api(CONFIRM, await confirmWithPasskey(browser, authenticator));

  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect(refused.headers.getSetCookie().join()).not.toContain("session_token");
  expect(locationOf(await browser.submit(NOBODY, { intent: "delete" }))).toContain("/confirm?");
});

test("a passkey required for managers: who has one confirms, who has none adds one after the grace", async () => {
  const holder = await aPasskeyHolder();
  const without = await aSignedInUser(gatehouse, { role: "support" });
  const owner = await aSignedInUser(gatehouse, { role: "admin", email: ADMIN_EMAIL });
  const other = await aSignedInUser(gatehouse, { role: "admin" });
  const rule = "/manager/settings/security";
  const gate = (next: string) => `/manager/passkey?next=${encodeURIComponent(next)}`;
  const open = async (browser: Browser, path: string) => locationOf(await browser.get(path));

  // Only a manager with a passkey may require one.
  await other.browser.submit(rule, { intent: "required" });
  expect(await open(other.browser, "/manager/users")).toBeUndefined();
  await holder.browser.submit(rule, { intent: "required" });
  // As after a sign-in with a code.
  await openSession(gatehouse, holder.browser, holder.user.id);

  expect(await open(holder.browser, "/manager/users?sort=name")).toBe(
    gate("/manager/users?sort=name"),
  );
  expect(await open(holder.browser, "/app")).toBeUndefined();
  expect(readText(await (await holder.browser.get(gate("/manager/users"))).text())).toContain(
    "You signed in without a passkey.",
  );
  await holder.browser.api(CONFIRM, await confirmWithPasskey(holder.browser, holder.authenticator));
  expect(await open(holder.browser, "/manager/users")).toBeUndefined();
  const fresh = newBrowser(gatehouse);
  await signInWithPasskey(fresh, holder.authenticator);
  expect(await open(fresh, "/manager/users")).toBeUndefined();

  // In the grace there is a notice; afterwards a passkey must be added. People in ADMIN_EMAILS pass.
  const page = await (await without.browser.get("/manager/users")).text();
  expect(readText(page)).toContain("the back-office opens only with a passkey");
  await gatehouse.d1
    .prepare("UPDATE site_setting SET manager_passkeys_since = manager_passkeys_since - ?")
    .bind(8 * DAY_MS)
    .run();
  expect(await open(without.browser, "/manager/users")).toBe(gate("/manager/users"));
  expect(readText(await (await without.browser.get(gate("/manager/users"))).text())).toContain(
    "Ask another admin to let you add one",
  );
  expect(await open(owner.browser, "/manager/users")).toBeUndefined();

  await owner.browser.submit(rule, { intent: "optional" });
  expect(await open(without.browser, "/manager/users")).toBeUndefined();
  const changes = await gatehouse.d1
    .prepare(
      "SELECT details FROM audit_event WHERE action = 'settings.changed' ORDER BY created_at",
    )
    .all<{ details: string }>();
  expect(changes.results.map(({ details }) => JSON.parse(details).after)).toEqual([
    { managerPasskeys: "required" },
    { managerPasskeys: "optional" },
  ]);
});

test("a manager neither gives nor takes an e-mail of ADMIN_EMAILS", async () => {
  const { browser } = await aSignedInUser(gatehouse, { role: "admin" });
  const listed = await gatehouse.d1
    .prepare("SELECT * FROM user WHERE email = ?")
    .bind(ADMIN_EMAIL)
    .first<Person>();
  const owner = listed ?? (await aUser(gatehouse, { email: ADMIN_EMAIL, role: "admin" }));
  const plain = await aUser(gatehouse);
  const save = async (person: Person, email: string) => {
    const form = { name: person.name, email, role: person.role, version: `${person.version}` };
    const answer = await browser.submit(`/manager/users/${person.id}/update`, form);
    return readText(await answer.text());
  };

  const refusal = "This email is listed in ADMIN_EMAILS";
  expect(await save(owner, "stolen@example.net")).toContain(refusal);
  expect((await findPerson(owner.id))?.email).toBe(ADMIN_EMAIL);
  await gatehouse.d1.prepare("DELETE FROM user WHERE id = ?").bind(owner.id).run();
  expect(await save(plain, ADMIN_EMAIL)).toContain(refusal);
  expect((await findPerson(plain.id))?.email).toBe(plain.email);
  const fields = { name: "New", email: ADMIN_EMAIL, role: "user" };
  const answer = await browser.submit("/manager/users/new", fields);
  const made = readPage(await answer.text());
  expect(made.field("email")).toMatchObject({
    value: ADMIN_EMAIL,
    error: say("users:refusal.listed_new_email"),
  });
  expect(gatehouse.mailbox.mails.filter(({ to }) => to === ADMIN_EMAIL)).toEqual([]);
});

test("another admin neither bans, deletes nor demotes the person of ADMIN_EMAILS, by screen or list", async () => {
  const { browser } = await aSignedInUser(gatehouse, { role: "admin" });
  await gatehouse.d1.prepare("DELETE FROM user WHERE email = ?").bind(ADMIN_EMAIL).run();
  const owner = await aUser(gatehouse, { email: ADMIN_EMAIL, role: "admin", name: "Root" });
  const plain = await aUser(gatehouse);
  const screen = `/manager/users/${owner.id}`;
  const why = say("users:refusal.listed_admin");

  for (const intent of ["ban", "delete"]) {
    const fields = { intent, duration: "7" };
    expect(locationOf(await browser.submit(screen, fields))).toBe(screen);
    expect(readText(await (await browser.get(screen)).text())).toContain(why);
  }
  const shown = await (await browser.get(screen)).text();
  expect(shown).not.toContain('value="delete"');
  const form = { name: "Root", email: ADMIN_EMAIL, role: "support", version: "1" };
  const saved = await browser.submit(`${screen}/update`, form);
  expect([saved.status, readText(await saved.text())]).toEqual([400, expect.stringContaining(why)]);
  expect(readText(await (await browser.get(`${screen}/update`)).text())).toContain(why);

  expect(await findPerson(owner.id)).toEqual(owner);

  // In a list the others are changed, and the screen names who is not.
  for (const fields of [
    { intent: "set-role", role: "auditor" },
    { intent: "ban", duration: "7" },
    { intent: "delete" },
  ]) {
    const ids = [owner.id, plain.id].map((id): [string, string] => ["id", id]);
    const answer = await browser.submit("/manager/users", [...Object.entries(fields), ...ids]);
    expect([fields.intent, readText(await answer.text())]).toEqual([
      fields.intent,
      expect.stringContaining(why),
    ]);
    expect(await findPerson(owner.id)).toEqual(owner);
  }
  expect(await findPerson(plain.id)).toBeNull();
  await gatehouse.d1.prepare("DELETE FROM user WHERE id = ?").bind(owner.id).run();
});

test("an admin removes the sign-in methods of others, and of themselves only when no one else could", async () => {
  const removed = async (person: Person, browser: Browser) => {
    const authenticator = newAuthenticator({ origin: gatehouse.origin });
    expect((await addPasskey(browser, authenticator)).status).toBe(200);
    await browser.submit(`/manager/users/${person.id}`, { intent: "remove-methods" });
    const left = "SELECT count(*) AS n FROM passkey WHERE user_id = ?";
    return (await gatehouse.d1.prepare(left).bind(person.id).first("n")) === 0;
  };
  const admin = await aSignedInUser(gatehouse, { role: "admin" });
  expect(await removed(admin.user, admin.browser)).toBe(false);
  const owner = await aSignedInUser(gatehouse, { role: "admin", email: ADMIN_EMAIL });
  expect(await removed(owner.user, owner.browser)).toBe(true);
});
