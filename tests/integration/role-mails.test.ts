import { afterAll, expect, test } from "vitest";
import { anAdmin, aUser, type Person } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

// A user gets a mail about new roles, wherever the change was made.

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const say = translationsIn("en");
const { user: manager, browser } = await anAdmin(gatehouse, { name: "Mona Manager" });

async function mailsTo({ email }: Person) {
  const { results } = await gatehouse.d1
    .prepare("SELECT kind, language FROM mail_outbox WHERE recipient = ?")
    .bind(email)
    .all<{ kind: string; language: string }>();
  return results;
}

const TOLD = [{ kind: "roles-changed", language: "en" }];

function formOf(person: Person, fields: Record<string, string>) {
  const { name, email, role, version } = person;
  return { name, email, role: role ?? "user", version: String(version), ...fields };
}

test("the edit form tells the promoted and the demoted, by whom and which roles they have now", async () => {
  const rising = await aUser(gatehouse, { name: "Rising" });
  const falling = await aUser(gatehouse, { name: "Falling", role: "admin" });
  const renamed = await aUser(gatehouse, { name: "Before" });

  await browser.submit(`/manager/users/${rising.id}/update`, formOf(rising, { role: "admin" }));
  await browser.submit(`/manager/users/${falling.id}/update`, formOf(falling, { role: "user" }));
  await browser.submit(`/manager/users/${renamed.id}/update`, formOf(renamed, { name: "After" }));

  const mail = await gatehouse.mailbox.mailFor(rising.email);
  expect(mail.subject).toBe(say("mail:rolesChanged.subject"));
  expect(mail.text.replaceAll(/[\u2068\u2069]/g, "")).toContain(
    "Mona Manager changed your roles in Gatehouse. Your roles are now: Admin.",
  );
  expect([await mailsTo(rising), await mailsTo(falling), await mailsTo(renamed)]).toEqual([
    TOLD,
    TOLD,
    [],
  ]);
});

test("roles that are set for many, or by better-auth's client, tell each whom they change", async () => {
  const arabic = await aUser(gatehouse, { language: "ar" });
  const same = await aUser(gatehouse, { role: "support" });
  const called = await aUser(gatehouse);

  await browser.submit("/manager/users", [
    ["intent", "set-role"],
    ["role", "support"],
    ...[arabic, same, manager].map(({ id }): [string, string] => ["id", id]),
  ]);
  const answer = await browser.api("/api/auth/admin/set-role", {
    userId: called.id,
    role: "auditor",
  });

  expect(answer.status).toBe(200);
  expect(await mailsTo(arabic)).toEqual([{ kind: "roles-changed", language: "ar" }]);
  expect(await mailsTo(same)).toEqual([]);
  expect(await mailsTo(called)).toEqual(TOLD);
  expect((await mailsTo(manager)).filter(({ kind }) => kind === "roles-changed")).toEqual([]);
});

test("a change that is refused tells nobody", async () => {
  const person = await aUser(gatehouse);
  const stale = formOf(person, { role: "admin", version: "99" });

  expect((await browser.submit(`/manager/users/${person.id}/update`, stale)).status).toBe(409);

  expect(await mailsTo(person)).toEqual([]);
});
