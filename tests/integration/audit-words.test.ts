import { afterAll, expect, test } from "vitest";
import { readPage } from "../support/page.ts";
import { anAdmin, aUser } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { browser: manager } = await anAdmin(gatehouse);

/** Returns the text of the only event with these details, as the audit log shows it. */
async function shown(
  details: object,
  { language = "en", action = "user.updated" } = {},
): Promise<string> {
  const { id } = await aUser(gatehouse);
  await gatehouse.d1
    .prepare(
      `INSERT INTO audit_event (id, action, target_type, target_id, details, created_at)
      VALUES (?1, ?2, 'user', ?3, ?4, 1)`,
    )
    .bind(crypto.randomUUID(), action, id, JSON.stringify(details))
    .run();
  const search = `target=${id}&action=${action}&lng=${language}`;
  const page = await (await manager.get(`/manager/audit?${search}`)).text();
  return readPage(page).rows().flat().join(" ");
}

test("roles, providers and settings are written in the reader's words", async () => {
  const roles = { before: { role: "user" }, after: { role: "support,auditor" } };
  expect(await shown(roles)).toMatch(/Role changed.*Role: User changed to Support and Auditor/);
  const both = { before: { role: "user", name: "A" }, after: { role: "admin", name: "B" } };
  expect(await shown(both)).toContain("User updated");
  expect(await shown({ provider: "github" })).toContain("Provider: GitHub");
  const mode = { before: { signUpMode: "open" }, after: { signUpMode: "invitation" } };
  expect(await shown(mode)).toContain("Sign-up: Open changed to By invitation");
  expect(await shown({ role: "admin" }, { language: "ar" })).toContain("مسؤول");
});

test("the roles of an organization have words of their own", async () => {
  const action = "member.role_changed";
  const roles = { before: { role: "member" }, after: { role: "admin" } };
  expect(await shown(roles, { action })).toContain("Role: Member changed to Admin");
  expect(await shown(roles, { action, language: "ar" })).toContain("مشرف");
});

test("a change of language names both languages", async () => {
  const action = "user.language_changed";
  const change = { before: { language: "en" }, after: { language: "ar" } };
  expect(await shown(change, { action })).toContain("Language: English to Arabic");
  expect(await shown(change, { action, language: "fr" })).toContain("Langue : anglais vers arabe");
  const first = { before: { language: null }, after: { language: "sw" } };
  expect(await shown(first, { action })).toContain("Language: Swahili");
});

test("an event names a thing whose name it keeps, but no id that nothing has", async () => {
  const action = "organization.repository_shared";
  expect(await shown({ repository: "zod" }, { action })).toContain("Repository: zod");
  const gone = await shown({ repository: crypto.randomUUID() }, { action });
  expect(gone).not.toContain("Repository:");
});

test("a value without words is shown as it is", async () => {
  expect(await shown({ provider: "a.b" })).toContain("Provider: a.b");
  expect(await shown({ role: "user,pilot" })).toContain("Role: user,pilot");
});
