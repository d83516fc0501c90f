import { afterAll, expect, test } from "vitest";
import { type Browser, newBrowser } from "../support/client.ts";
import { anOrganization } from "../support/organizations.ts";
import { anAdmin, aSignedInUser, aUser, newEmail, type Person, signIn } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

// A user gets a mail about new roles, wherever the change was made.

const LISTED = newEmail("listed");
const NEW_ADMIN = newEmail("new-admin");
const gatehouse = await startGatehouse({ vars: { ADMIN_EMAILS: `${LISTED},${NEW_ADMIN}` } });
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

test("who becomes an admin by the setting ADMIN_EMAILS is told at that sign-in, once", async () => {
  const listed = await aUser(gatehouse, { email: LISTED, language: "fr" });

  await signIn(gatehouse, newBrowser(gatehouse), listed.email);
  await signIn(gatehouse, newBrowser(gatehouse), listed.email);

  const mails = (await mailsTo(listed)).filter(({ kind }) => kind === "roles-changed");
  expect(mails).toEqual([{ kind: "roles-changed", language: "fr" }]);
  const told = translationsIn("fr");
  const mail = await gatehouse.mailbox.mailFor(listed.email, ({ subject }) =>
    subject.includes(told("mail:rolesChanged.subject")),
  );
  expect(mail.text).toContain("ADMIN_EMAILS");
  expect(mail.text).toContain(told("mail:rolesChanged.roles.admin"));
});

test("a new account that is an admin's from its beginning is told nothing: no role was changed", async () => {
  await signIn(gatehouse, newBrowser(gatehouse), NEW_ADMIN);

  const { results } = await gatehouse.d1
    .prepare("SELECT kind FROM mail_outbox WHERE recipient = ?")
    .bind(NEW_ADMIN)
    .all();
  expect(results).toEqual([{ kind: "login-code" }]);
});

/** Makes an organization with an owner and people, and reads the mails about roles in it. */
async function aCompany(...members: Person[]) {
  const owner = await aSignedInUser(gatehouse, { name: "Olga Owner" });
  const made = await anOrganization(gatehouse, { name: "Zeit" }, { owner: owner.user, members });
  const { organization } = made;
  const idOf = ({ id }: Person) => made.members.find(({ user_id }) => user_id === id)?.id ?? "";
  const setRole = (by: Browser, person: Person, role: string) =>
    by.submit(`/app/organizations/${organization.slug}/members`, {
      intent: "set-role",
      member: idOf(person),
      role,
    });
  return { owner, organization, idOf, setRole };
}

const TOLD_OF_ORGANIZATION = { kind: "organization-role-changed", language: "en" };

test("a member whose role an owner changes is told by whom, to what and where", async () => {
  const rising = await aUser(gatehouse, { language: "sw" });
  const { owner, organization, setRole } = await aCompany(rising);

  await setRole(owner.browser, rising, "admin");
  // The same role again is no change.
  await setRole(owner.browser, rising, "admin");

  expect(await mailsTo(rising)).toEqual([{ kind: "organization-role-changed", language: "sw" }]);
  const told = translationsIn("sw");
  const mail = await gatehouse.mailbox.mailFor(rising.email);
  expect(mail.text.replaceAll(/[\u2068\u2069]/g, "")).toContain(
    "Olga Owner amebadilisha jukumu lako katika shirika la Zeit kwenye Gatehouse. Sasa wewe ni msimamizi.",
  );
  expect(mail.text).toContain(told("mail:organizationRoleChanged.open"));
  expect(mail.text).toContain(`${gatehouse.origin}/app/organizations/${organization.slug}`);
});

test("a manager's change, and better-auth's client, tell the member too; a refused change tells nobody", async () => {
  const byManager = await aUser(gatehouse);
  const byClient = await aUser(gatehouse);
  const { owner, organization, idOf, setRole } = await aCompany(byManager, byClient);
  const outsider = await aSignedInUser(gatehouse);

  await setRole(outsider.browser, byManager, "admin");
  expect(await mailsTo(byManager)).toEqual([]);
  await browser.submit(`/manager/organizations/${organization.id}`, {
    intent: "set-role",
    member: idOf(byManager),
    newRole: "admin",
  });
  const answer = await owner.browser.api("/api/auth/organization/update-member-role", {
    organizationId: organization.id,
    memberId: idOf(byClient),
    role: "admin",
  });

  expect(answer.status).toBe(200);
  expect(await mailsTo(byManager)).toEqual([TOLD_OF_ORGANIZATION]);
  expect(await mailsTo(byClient)).toEqual([TOLD_OF_ORGANIZATION]);
});

test("a manager who hands an organization over tells the new owner and each former one", async () => {
  const heir = await aUser(gatehouse);
  const { owner, organization, idOf } = await aCompany(heir);

  await browser.submit(`/manager/organizations/${organization.id}`, {
    intent: "transfer",
    member: idOf(heir),
  });

  const told = (await gatehouse.mailbox.mailFor(heir.email)).text;
  expect(told).toContain(say("mail:organizationRoleChanged.roles.owner"));
  const lost = (await gatehouse.mailbox.mailFor(owner.user.email)).text;
  expect(lost).toContain(say("mail:organizationRoleChanged.roles.admin"));
});

test("one person is told of two changes a day in organizations, however often their role changes", async () => {
  const person = await aUser(gatehouse);
  const { owner, setRole } = await aCompany(person);

  for (const role of ["admin", "member", "admin", "member"]) {
    await setRole(owner.browser, person, role);
  }

  expect(await mailsTo(person)).toEqual([TOLD_OF_ORGANIZATION, TOLD_OF_ORGANIZATION]);
});
