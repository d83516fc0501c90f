import { afterAll, expect, test } from "vitest";
import { roomOf } from "../../app/features/mail/mail-message.ts";
import { auditOf } from "../support/audit.ts";
import { alertsOf, locationOf, newBrowser, readText } from "../support/client.ts";
import { insertRows } from "../support/insert.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, aSignedInUser, aUser, newEmail, type Person, signIn } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

// Tests what a manager's change of a user's e-mail ends, keeps and sends.

/** The sentence of the notice about older sign-in methods. */
const STILL_WORK = "These sign-in methods are older than the change and still work:";
const NO_METHODS = "This user has no passkeys or linked accounts";
const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser: manager } = await anAdmin(gatehouse);
const { browser: reader } = await aSignedInUser(gatehouse);

function pathOf(id: string, rest = ""): string {
  return `/manager/users/${id}${rest}`;
}

function findPerson(id: string) {
  return gatehouse.d1.prepare("SELECT * FROM user WHERE id = ?").bind(id).first<Person>();
}

async function countOf(table: "session" | "passkey" | "account", userId: string): Promise<number> {
  const row = await gatehouse.d1
    .prepare(`SELECT count(*) AS n FROM ${table} WHERE user_id = ?`)
    .bind(userId)
    .first<{ n: number }>();
  return row?.n ?? -1;
}

async function addMethods(userId: string): Promise<void> {
  await gatehouse.d1.batch([
    gatehouse.d1
      .prepare(
        `INSERT INTO passkey (id, name, public_key, user_id, credential_id, counter, device_type, backed_up, created_at)
         VALUES (?1, 'YubiKey 5C', '', ?2, ?1, 0, 'singleDevice', 0, 1)`,
      )
      .bind(crypto.randomUUID(), userId),
    gatehouse.d1
      .prepare(
        `INSERT INTO account (id, account_id, provider_id, user_id, created_at, updated_at)
         VALUES (?1, ?1, 'github', ?2, 1, 1)`,
      )
      .bind(crypto.randomUUID(), userId),
  ]);
}

/** Posts the update form with another e-mail. */
function moveTo({ id, name, role, version }: Person, email: string, browser = manager) {
  return browser.submit(pathOf(id, "/update"), { name, email, role, version: String(version) });
}

/** Returns the id that the user's screen posts with "Keep them". */
async function questionOf(userId: string): Promise<string> {
  const page = readPage(await (await manager.get(pathOf(userId))).text());
  return page.find("button", "Keep them")?.getAttribute("value") ?? "";
}

function keepMethods(userId: string, question: string) {
  return manager.submit(pathOf(userId), { intent: "keep-methods", question });
}

/** Fills the outbox with as many mails of the change as one mailbox may get in a day. */
async function fillMailbox(email: string): Promise<void> {
  const now = Date.now();
  const rows = Array.from({ length: roomOf("email-replaced") ?? 0 }, () => ({
    id: crypto.randomUUID(),
    kind: "email-replaced",
    recipient: email,
    language: "en",
    state: "sent",
    next_try_at: now,
    expires_at: now,
    created_at: now,
  }));
  await insertRows(gatehouse.d1, "mail_outbox", rows);
}

async function mailsTo(email: string): Promise<{ kind: string; language: string }[]> {
  const { results } = await gatehouse.d1
    .prepare("SELECT kind, language FROM mail_outbox WHERE recipient = ? AND kind <> 'login-code'")
    .bind(email)
    .all<{ kind: string; language: string }>();
  return results;
}

async function changesOf(userId: string) {
  const events = await auditOf(gatehouse, userId);
  return events.filter(({ actorId }) => actorId === admin.id);
}

test("an e-mail change ends every session and sends a mail to both e-mails", async () => {
  const { user: person, browser } = await aSignedInUser(gatehouse, { language: "fr" });
  const email = newEmail("moved");

  const response = await moveTo(person, email);

  expect(locationOf(response)).toBe(pathOf(person.id));
  expect(await findPerson(person.id)).toMatchObject({ email, email_verified: 1, version: 2 });
  expect(await countOf("session", person.id)).toBe(0);
  expect(locationOf(await browser.get("/app"))).toMatch(/^\/login/);
  const toOld = await gatehouse.mailbox.mailFor(person.email, ({ code }) => code === "");
  const toNew = await gatehouse.mailbox.mailFor(email);
  expect(toOld.subject).toBe("Un administrateur a modifié l’adresse e-mail de votre compte");
  expect(toOld.text).toContain("contactez immédiatement le support");
  expect(toOld.text).not.toContain(email);
  expect(toNew.subject).toBe("Cette adresse est désormais celle de votre compte");
  expect(toNew.link).toBe(`${gatehouse.origin}/login?email=${encodeURIComponent(email)}`);
  expect(await changesOf(person.id)).toEqual([
    {
      action: "user.updated",
      actorId: admin.id,
      details: {
        before: { name: person.name, email: person.email, role: "user" },
        after: { name: person.name, email, role: "user" },
      },
    },
  ]);
  // The user has no other sign-in methods.
  const page = readText(await (await manager.get(pathOf(person.id))).text());
  expect(page).not.toContain(STILL_WORK);
});

test("a change that keeps the e-mail ends no session and sends no mail", async () => {
  const { user: person } = await aSignedInUser(gatehouse);

  await manager.submit(pathOf(person.id, "/update"), {
    name: "Renamed",
    email: person.email,
    role: "user",
    version: "1",
  });

  expect(await countOf("session", person.id)).toBe(1);
  expect(await mailsTo(person.email)).toEqual([]);
});

test("a refused change ends no session and sends no mail", async () => {
  const { user: person } = await aSignedInUser(gatehouse);
  const taken = await aUser(gatehouse);
  const free = newEmail("free");

  const responses = [
    await moveTo(person, taken.email),
    await moveTo({ ...person, version: 7 }, free),
  ];

  expect(responses.map(({ status }) => status)).toEqual([400, 409]);
  expect(await countOf("session", person.id)).toBe(1);
  expect(await mailsTo(person.email)).toEqual([]);
  expect(await mailsTo(taken.email)).toEqual([]);
  expect(await mailsTo(free)).toEqual([]);
  expect(await changesOf(person.id)).toEqual([]);
});

test("after an e-mail change the user screen lists the sign-in methods, and removes all at once", async () => {
  const { user: person } = await aSignedInUser(gatehouse);
  await addMethods(person.id);
  const path = pathOf(person.id);
  expect(readText(await (await manager.get(path)).text())).not.toContain(STILL_WORK);
  const email = newEmail("kept");

  await moveTo(person, email);

  expect(await countOf("passkey", person.id)).toBe(1);
  expect(await countOf("account", person.id)).toBe(1);
  const asked = readText(await (await manager.get(path)).text());
  expect(asked).toContain(`${admin.name} changed this user's email · now ${STILL_WORK}`);
  expect(asked).toContain("Passkey: YubiKey 5C Linked account: GitHub Remove 2 methods");
  expect(await changesOf(person.id)).toMatchObject([{ details: { signInMethods: 2 } }]);

  const owner = newBrowser(gatehouse);
  await signIn(gatehouse, owner, email);
  const removed = await manager.submit(path, { intent: "remove-methods" });

  expect(readText(await (await manager.follow(removed)).text())).toContain(
    "Passkeys and linked accounts removed.",
  );
  expect(await countOf("passkey", person.id)).toBe(0);
  expect(await countOf("account", person.id)).toBe(0);
  expect(await countOf("session", person.id)).toBe(0);
  expect(readText(await (await manager.get(path)).text())).not.toContain(STILL_WORK);
  expect((await changesOf(person.id)).at(-1)).toEqual({
    action: "user.methods_removed",
    actorId: admin.id,
    details: { passkeys: 1, provider: "github" },
  });
  const told = await gatehouse.mailbox.mailFor(email, ({ subject }) =>
    /were removed/.test(subject),
  );
  expect(told.link).toBe(`${gatehouse.origin}/login?email=${encodeURIComponent(email)}`);
});

test("a manager keeps the sign-in methods, which ends the question until the next e-mail change", async () => {
  const { user: person } = await aSignedInUser(gatehouse);
  await addMethods(person.id);
  const path = pathOf(person.id);
  const keep = (question: string) => keepMethods(person.id, question);
  const NOTHING = "No decision is needed about this user's sign-in methods";
  expect(readText(await (await manager.follow(await keep("none"))).text())).toContain(NOTHING);
  await moveTo(person, newEmail("kept"));
  const question = await questionOf(person.id);

  const kept = await Promise.all(Array.from({ length: 10 }, () => keep(question)));

  expect(kept.map((response) => locationOf(response))).toEqual(kept.map(() => path));
  const page = readText(await (await manager.get(path)).text());
  expect(page).not.toContain(STILL_WORK);
  expect(await countOf("passkey", person.id)).toBe(1);
  expect(await countOf("account", person.id)).toBe(1);
  expect((await changesOf(person.id)).slice(1)).toEqual([
    {
      action: "user.methods_kept",
      actorId: admin.id,
      details: { passkeys: 1, provider: "github" },
    },
  ]);
  expect(readText(await (await manager.follow(await keep(question))).text())).toContain(NOTHING);

  await moveTo({ ...person, version: 2 }, newEmail("again"));
  expect(readText(await (await manager.get(path)).text())).toContain(STILL_WORK);
  const again = await keep(await questionOf(person.id));
  const told = readText(await (await manager.follow(again)).text());
  expect(told).toContain("Sign-in methods kept.");
  expect(told).not.toContain(STILL_WORK);
});

test("a page from before another e-mail change does not decide about that change", async () => {
  const person = await aUser(gatehouse);
  await addMethods(person.id);
  await moveTo(person, newEmail("first"));
  const stale = await questionOf(person.id);
  await moveTo({ ...person, version: 2 }, newEmail("second"));

  const refused = await keepMethods(person.id, stale);

  const page = readText(await (await manager.follow(refused)).text());
  expect(page).toContain("This user's email was changed again. Decide about the latest change.");
  expect(page).toContain(STILL_WORK);
  expect((await changesOf(person.id)).map(({ action }) => action)).toEqual([
    "user.updated",
    "user.updated",
  ]);
});

test("the notice about sign-in methods names no manager whose account is gone", async () => {
  const { user: gone, browser } = await anAdmin(gatehouse);
  const person = await aUser(gatehouse);
  await addMethods(person.id);
  await moveTo(person, newEmail("moved"), browser);
  await gatehouse.d1.prepare("DELETE FROM user WHERE id = ?").bind(gone.id).run();

  const page = readText(await (await manager.get(pathOf(person.id))).text());

  expect(page).toContain(`An admin changed this user's email · now ${STILL_WORK}`);
});

test("removing sign-in methods again makes no record and no mail, and keeps later sessions", async () => {
  const person = await aUser(gatehouse);
  await addMethods(person.id);
  const path = pathOf(person.id);

  await Promise.all(
    Array.from({ length: 10 }, () => manager.submit(path, { intent: "remove-methods" })),
  );
  await signIn(gatehouse, newBrowser(gatehouse), person.email);
  const again = await manager.submit(path, { intent: "remove-methods" });

  expect(readText(await (await manager.follow(again)).text())).toContain(NO_METHODS);
  const kept = await keepMethods(person.id, "none");
  expect(readText(await (await manager.follow(kept)).text())).toContain(NO_METHODS);
  expect(await changesOf(person.id)).toHaveLength(1);
  expect(await mailsTo(person.email)).toEqual([{ kind: "methods-removed", language: "en" }]);
  expect(await countOf("session", person.id)).toBe(1);
});

test("a user cannot remove sign-in methods", async () => {
  const person = await aUser(gatehouse);
  await addMethods(person.id);

  const response = await reader.submit(pathOf(person.id), { intent: "remove-methods" });

  expect(response.status).toBe(403);
  expect(await countOf("passkey", person.id)).toBe(1);
});

test("managers can change their own e-mail only on their account screen", async () => {
  const { user: self, browser } = await anAdmin(gatehouse);
  const form = await (await browser.get(pathOf(self.id, "/update"))).text();
  expect(readText(form)).toContain("Change your own email on your account page.");

  const response = await moveTo(self, newEmail("typo"), browser);

  expect(response.status).toBe(400);
  expect(alertsOf(await response.text())).toContain("Change your own email on your account page.");
  expect(await findPerson(self.id)).toMatchObject({ email: self.email, version: 1 });
  expect(await countOf("session", self.id)).toBe(1);
});

test("of 20 e-mail changes at once one succeeds, with one mail to each e-mail", async () => {
  const person = await aUser(gatehouse);
  const emails = Array.from({ length: 20 }, () => newEmail("race"));

  const responses = await Promise.all(emails.map((email) => moveTo(person, email)));

  const statuses = responses.map(({ status }) => status);
  expect(statuses.filter((status) => status === 302)).toHaveLength(1);
  expect(statuses.filter((status) => status === 409)).toHaveLength(19);
  expect(await mailsTo(person.email)).toEqual([{ kind: "email-replaced", language: "en" }]);
  const told = await Promise.all(emails.map(mailsTo));
  expect(told.flat()).toEqual([{ kind: "email-assigned", language: "en" }]);
  expect(await changesOf(person.id)).toHaveLength(1);
});

test("a change of the e-mail ends every session when the old mailbox gets no more mail", async () => {
  const { user } = await aSignedInUser(gatehouse);
  await fillMailbox(user.email);
  const email = newEmail();
  const person = await findPerson(user.id);
  if (!person) throw new Error("The user is gone");

  await moveTo(person, email);

  expect((await findPerson(user.id))?.email).toBe(email);
  expect(await countOf("session", user.id)).toBe(0);
  expect(await mailsTo(email)).toEqual([{ kind: "email-assigned", language: "en" }]);
});
