import { afterAll, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import { choose, reportOn } from "../support/bulk.ts";
import { readText } from "../support/client.ts";
import { aMember, anOrganization } from "../support/organizations.ts";
import { anAdmin, aSignedInUser, aUser, manyUsers, type Person } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const USERS = "/manager/users";
const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser: manager } = await anAdmin(gatehouse);

function findPerson(id: string) {
  return gatehouse.d1.prepare("SELECT * FROM user WHERE id = ?").bind(id).first<Person>();
}

async function changesOf(id: string) {
  const events = await auditOf(gatehouse, id);
  return events.filter(({ actorId }) => actorId === admin.id).map(({ action }) => action);
}

test("a bulk ban bans each user once, with the reason, ended sessions and one audit record", async () => {
  const { user: amina, browser } = await aSignedInUser(gatehouse, { name: "Amina" });
  const baraka = await aUser(gatehouse, { name: "", email: "baraka@example.com" });
  const ids = [amina.id, baraka.id, amina.id];

  const response = await choose(manager, USERS, ids, {
    intent: "ban",
    reason: "Spam",
    duration: "7",
  });

  expect(await reportOn(response)).toBe("2 banned: Amina and baraka@example.com Undo");
  for (const { id } of [amina, baraka]) {
    const row = await findPerson(id);
    expect(row).toMatchObject({ banned: 1, ban_reason: "Spam", version: 2 });
    expect(row?.ban_expires).toBeGreaterThan(Date.now() + 6 * 86_400_000);
    expect(await changesOf(id)).toEqual(["user.banned"]);
  }
  expect((await browser.get("/app")).status).toBe(302);
});

test("the report names each refused row with its reason, and the others are still banned", async () => {
  const plain = await aUser(gatehouse, { name: "Plain" });
  const banned = await aUser(gatehouse, { name: "Out", banned: 1 });
  const once = await aUser(gatehouse, { name: "Once", banned: 1, ban_expires: 1 });
  const ids = [plain.id, admin.id, banned.id, once.id, UNKNOWN_ID, "<b>"];

  const response = await choose(manager, USERS, ids, { intent: "ban" });

  expect(await reportOn(response)).toBe(
    "2 banned: Plain and Once 4 users not changed: You can't do this to yourself: Mona Manager Already banned: Out No longer exists: 2 users Undo",
  );
  expect(await changesOf(plain.id)).toEqual(["user.banned"]);
  expect(await changesOf(banned.id)).toEqual([]);
  expect((await findPerson(banned.id))?.version).toBe(1);
  expect((await findPerson(admin.id))?.banned).toBe(0);
});

test("bulk unban, role change and deletion follow the rules of the single actions", async () => {
  const out = await aUser(gatehouse, { name: "Out", banned: 1, ban_reason: "x" });
  const free = await aUser(gatehouse, { name: "Free" });
  const other = await aUser(gatehouse, { name: "Other", role: "admin", version: 4 });

  const unban = await choose(manager, USERS, [out.id, free.id], { intent: "unban" });
  expect(await reportOn(unban)).toBe("1 unbanned: Out 1 user not changed: Not banned: Free");
  expect(await findPerson(out.id)).toMatchObject({ banned: 0, ban_reason: null });

  const ids = [out.id, other.id, admin.id];
  const promoted = await choose(manager, USERS, ids, { intent: "set-role", role: "admin" });
  expect(await reportOn(promoted)).toBe(
    "Roles set for 1 user: Out 2 users not changed: These roles were already set: Other and Mona Manager",
  );
  const demoted = await choose(manager, USERS, ids, { intent: "set-role", role: "user" });
  expect(await reportOn(demoted)).toBe(
    "Roles set for 2 users: Out and Other 1 user not changed: You can't change your own roles: Mona Manager",
  );
  expect(await findPerson(other.id)).toMatchObject({ role: "user", version: 5, name: "Other" });
  const record = (await auditOf(gatehouse, other.id)).at(-1);
  expect(record).toMatchObject({
    action: "user.updated",
    details: { before: { role: "admin" }, after: { role: "user" } },
  });

  const deleted = await choose(manager, USERS, ids, { intent: "delete" });
  expect(await reportOn(deleted)).toBe(
    "2 deleted: Out and Other 1 user not changed: You can't do this to yourself: Mona Manager",
  );
  expect([await findPerson(out.id), await findPerson(other.id)]).toEqual([null, null]);
  expect(await changesOf(out.id)).toEqual([
    "user.unbanned",
    "user.updated",
    "user.updated",
    "user.deleted",
  ]);
});

test("the report is in the response, not in a redirect, and the search is kept", async () => {
  const { id } = await aUser(gatehouse, { name: "Wanted" });
  await aUser(gatehouse, { name: "Wanted, too" });

  const response = await choose(manager, `${USERS}?searchTerm=Wanted`, [id], { intent: "delete" });

  expect(response.headers.get("location")).toBeNull();
  const text = readText(await response.text());
  expect(text).toContain("1 deleted: Wanted");
  expect(text).toContain('1 result for "Wanted"');
});

test.each([
  ["nothing chosen", [], 400, "Select at least one row first."],
  ["201 rows", Array.from({ length: 201 }, (_, index) => `x${index}`), 400, "at most 200 rows"],
  ["an invalid id", ["x".repeat(65)], 400, "This form was incomplete."],
] as const)("%s is refused with a message", async (_, ids, status, text) => {
  const response = await choose(manager, USERS, [...ids], { intent: "delete" });
  expect(response.status).toBe(status);
  expect(readText(await response.text())).toContain(text);
});

test("one request may select a hundred rows", async () => {
  const people = await manyUsers(gatehouse, Array(100).fill({}));
  const ids = people.map(({ id }) => id);

  const fields = { intent: "delete", typedCount: "100" };
  const report = await reportOn(await choose(manager, USERS, ids, fields));

  expect(report).toMatch(/^100 deleted: Amina Yusuf .* 92 more$/);
  for (const id of ids) expect(await changesOf(id)).toEqual(["user.deleted"]);
});

test.each([
  ["no number", {}],
  ["another number", { typedCount: "5" }],
  ["a word", { typedCount: "six" }],
])("deleting six users with %s is refused, and deletes no one", async (_, fields) => {
  const ids = (await manyUsers(gatehouse, Array(6).fill({}))).map(({ id }) => id);

  const response = await choose(manager, USERS, ids, { intent: "delete", ...fields });

  expect(response.status).toBe(400);
  expect(readText(await response.text())).toMatch(/Type 6 to confirm/);
  for (const id of ids) expect(await findPerson(id)).not.toBeNull();
});

test.each([
  ["the number", { typedCount: " 6 " }],
  ["the number in Arabic digits", { typedCount: "٦" }],
])("six users are deleted with %s", async (_, fields) => {
  const ids = (await manyUsers(gatehouse, Array(6).fill({}))).map(({ id }) => id);

  const report = await reportOn(await choose(manager, USERS, ids, { intent: "delete", ...fields }));

  expect(report).toMatch(/^6 deleted: /);
});

test.each([{ intent: "promote" }, { intent: "revoke-all" }, { "intent[]": "ban" }, {}])(
  "the unknown bulk action %j is refused with a message",
  async (fields) => {
    const { id } = await aUser(gatehouse);

    const response = await choose(manager, USERS, [id], fields as Record<string, string>);
    expect(response.status).toBe(400);
    expect(readText(await response.text())).toContain("This form was incomplete.");
    expect((await findPerson(id))?.version).toBe(1);
  },
);

test("users get 403, and nothing changes", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const { id } = await aUser(gatehouse);

  for (const intent of ["ban", "unban", "set-role", "delete"]) {
    const response = await choose(browser, USERS, [id], { intent, role: "admin" });
    expect(response.status).toBe(403);
  }
  expect(await findPerson(id)).toMatchObject({ version: 1, banned: 0, role: "user" });
});

test("when the database fails, every row is reported and none is changed", async () => {
  const people = await manyUsers(gatehouse, [{ name: "One" }, { name: "Two" }]);
  gatehouse.expectErrors("request.failed");

  // The first two calls read the session and the names.
  const response = await choose(
    manager,
    USERS,
    people.map(({ id }) => id),
    { intent: "delete" },
    { headers: { "x-d1-fault": "3 before" } },
  );

  expect(await reportOn(response)).toBe("2 users not changed: Something went wrong: One and Two");
  for (const { id } of people) expect(await findPerson(id)).not.toBeNull();
});

test("a rule of the database refuses only the users that it protects", async () => {
  const people = await manyUsers(
    gatehouse,
    ["Sole", "Other", "First", "Second", "Plain"].map((name) => ({ name })),
  );
  const [sole, other, first, second, plain] = people;
  if (!sole || !other || !first || !second || !plain) throw new Error("A user is missing");
  await anOrganization(gatehouse, {}, { owner: sole, members: [other] });
  // Each of these two owners may be deleted, but not both.
  const { organization } = await anOrganization(gatehouse, {}, { owner: first, members: [other] });
  const ownership = {
    organization_id: organization.id,
    user_id: second.id,
    role: "owner",
  } as const;
  await aMember(gatehouse, ownership);
  const ids = [sole.id, first.id, second.id, plain.id];

  const response = await choose(manager, USERS, ids, { intent: "delete" });

  expect(await reportOn(response)).toBe(
    "1 deleted: Plain 3 users not changed: This user is the only owner of an organization with other members: Sole Not together: an organization would have no owner, or the site no admin: First and Second",
  );
  expect(await findPerson(second.id)).not.toBeNull();

  const alone = await choose(manager, USERS, [first.id], { intent: "delete" });
  expect(await reportOn(alone)).toBe("1 deleted: First");
});
