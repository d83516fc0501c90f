import { afterAll, expect, test } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import { aClient, dataOf, refusalOf } from "../../../../tests/support/organization-client.ts";
import { aMember, anOrganization } from "../../../../tests/support/organizations.ts";
import { aUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const UNKNOWN = crypto.randomUUID();

/** Makes an organization of the client's user, who has this role, with one more owner, admin and member. */
async function aCrew(role: "owner" | "admin" | "member") {
  const { user, browser, client } = await aClient(gatehouse);
  const [owner, admin, other] = [
    await aUser(gatehouse, { name: "Olga" }),
    await aUser(gatehouse, { name: "Ada" }),
    await aUser(gatehouse, { name: "Mia" }),
  ];
  const admins = role === "admin" ? [admin, user] : [admin];
  const members = role === "member" ? [other, user] : [other];
  const made = await anOrganization(gatehouse, {}, { owner, admins, members });
  if (role === "owner") {
    const row = { organization_id: made.organization.id, user_id: user.id, role } as const;
    made.members.push(await aMember(gatehouse, row));
  }
  const idOf = (userId: string) =>
    made.members.find((member) => member.user_id === userId)?.id ?? "";
  const ids = { owner: idOf(owner.id), admin: idOf(admin.id), member: idOf(other.id) };
  const organizationId = made.organization.id;
  return { user, browser, client, organizationId, ids, own: idOf(user.id), owner, admin, other };
}

test("remove-member removes by id and by e-mail", async () => {
  const { client, organizationId, ids, admin, other } = await aCrew("owner");

  const byId = { organizationId, memberIdOrEmail: ids.member };
  const byEmail = { organizationId, memberIdOrEmail: admin.email.toUpperCase() };

  expect(await dataOf(client.removeMember(byId))).toMatchObject({
    member: { id: ids.member, userId: other.id, organizationId, role: "member" },
  });
  expect(await dataOf(client.removeMember(byEmail))).toMatchObject({ member: { id: ids.admin } });
  expect(await refusalOf(client.removeMember(byId))).toBe("400 MEMBER_NOT_FOUND");
  const events = await auditOf(gatehouse, organizationId);
  expect(events.map(({ action }) => action)).toEqual(["member.removed", "member.removed"]);
});

test("remove-member answers the plugin's refusals", async () => {
  const admin = await aCrew("admin");
  const member = await aCrew("member");
  const foreign = await aCrew("owner");

  for (const organizationId of [UNKNOWN, foreign.organizationId]) {
    const input = { organizationId, memberIdOrEmail: foreign.ids.member };
    expect(await refusalOf(admin.client.removeMember(input))).toBe("400 MEMBER_NOT_FOUND");
  }
  expect(await refusalOf(admin.client.removeMember({ memberIdOrEmail: admin.ids.member }))).toBe(
    "400 NO_ACTIVE_ORGANIZATION",
  );
  const { organizationId } = admin;
  const inForeign = { organizationId, memberIdOrEmail: foreign.ids.member };
  expect(await refusalOf(admin.client.removeMember(inForeign))).toBe("400 MEMBER_NOT_FOUND");
  const owner = { organizationId, memberIdOrEmail: admin.ids.owner };
  expect(await refusalOf(admin.client.removeMember(owner))).toBe(
    "401 YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER",
  );
  const byMember = { organizationId: member.organizationId, memberIdOrEmail: member.ids.admin };
  expect(await refusalOf(member.client.removeMember(byMember))).toBe(
    "401 YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER",
  );
});

test("update-member-role changes a role, also as a list of one", async () => {
  const { client, organizationId, ids } = await aCrew("owner");
  const change = (memberId: string, role: "owner" | "admin" | "member" | ["admin"]) =>
    dataOf(client.updateMemberRole({ organizationId, memberId, role }));

  expect(await change(ids.member, ["admin"])).toMatchObject({ id: ids.member, role: "admin" });
  // Ownership is offered: the answer has the role of now.
  expect(await change(ids.admin, "owner")).toMatchObject({ id: ids.admin, role: "admin" });
  await gatehouse.d1.prepare("UPDATE member SET role = 'owner' WHERE id = ?").bind(ids.admin).run();
  expect(await change(ids.admin, "owner")).toMatchObject({ role: "owner" });
  expect(await change(ids.owner, "member")).toMatchObject({ role: "member" });
});

test("update-member-role answers the plugin's refusals", async () => {
  const { client, organizationId, ids } = await aCrew("admin");
  const foreign = await aCrew("owner");
  const change = (memberId: string, role: string) =>
    refusalOf(client.updateMemberRole({ organizationId, memberId, role: role as "member" }));

  expect(await change(ids.owner, "member")).toBe("403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER");
  expect(await change(ids.member, "owner")).toBe("403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER");
  expect(await change(ids.member, "king")).toBe("400 ROLE_NOT_FOUND");
  expect(await change(ids.member, "admin,owner")).toBe("400 ROLE_NOT_FOUND");
  for (const memberId of [UNKNOWN, foreign.ids.member]) {
    expect(await change(memberId, "admin")).toBe("400 MEMBER_NOT_FOUND");
  }
});

test("the only owner can neither step down nor leave", async () => {
  const { user, client } = await aClient(gatehouse);
  const { organization, members } = await anOrganization(gatehouse, {}, { owner: user });
  const organizationId = organization.id;
  const memberId = members[0]?.id ?? "";

  expect(
    await refusalOf(client.updateMemberRole({ organizationId, memberId, role: "admin" })),
  ).toBe("400 YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER");
  expect(await refusalOf(client.leave({ organizationId }))).toBe(
    "400 YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER",
  );
  expect(await refusalOf(client.removeMember({ organizationId, memberIdOrEmail: memberId }))).toBe(
    "400 YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER",
  );
});

test("leave answers the membership that ended", async () => {
  const { user, client, organizationId, own } = await aCrew("member");
  await client.setActive({ organizationId });

  expect(await dataOf(client.leave({ organizationId }))).toMatchObject({
    id: own,
    organizationId,
    user: { id: user.id, email: user.email },
  });
  expect(await dataOf(client.list())).toEqual([]);
  expect(await refusalOf(client.getActiveMember())).toBe("400 NO_ACTIVE_ORGANIZATION");
  expect(await refusalOf(client.leave({ organizationId }))).toBe("400 MEMBER_NOT_FOUND");
});

test("list-members pages, sorts and filters", async () => {
  const { client, organizationId, owner, admin, other, user } = await aCrew("member");
  type Query = NonNullable<NonNullable<Parameters<typeof client.listMembers>[0]>["query"]>;
  const idsOf = async (query: Query) => {
    const { members, total } = await dataOf(
      client.listMembers({ query: { organizationId, ...query } }),
    );
    return { ids: members.map(({ userId }) => userId), total };
  };
  const everyone = [owner.id, admin.id, other.id, user.id].sort();

  const all = await dataOf(client.listMembers({ query: { organizationId } }));
  expect(all.total).toBe(4);
  expect(all.members.find(({ userId }) => userId === admin.id)).toMatchObject({
    organizationId,
    role: "admin",
    user: { id: admin.id, name: "Ada", email: admin.email, image: null },
  });
  expect(await idsOf({ sortBy: "userId", limit: 2 })).toEqual({
    ids: everyone.slice(0, 2),
    total: 4,
  });
  expect(await idsOf({ sortBy: "userId", sortDirection: "desc", offset: "3" })).toEqual({
    ids: everyone.slice(0, 1),
    total: 4,
  });
  expect(await idsOf({ filterField: "role", filterValue: "owner" })).toEqual({
    ids: [owner.id],
    total: 1,
  });
  for (const [filterOperator, filterValue, count] of [
    ["in", ["owner", "admin"], 2],
    ["not_in", ["owner", "admin"], 2],
    // As many values as a client may send, and as many as D1 binds to a statement.
    ["in", ["owner", ...Array(99).fill("other")], 1],
    ["not_in", ["owner", ...Array(99).fill("other")], 3],
    ["ne", "member", 2],
    ["contains", "min", 1],
    ["starts_with", "mem", 2],
    ["ends_with", "er", 3],
    ["gt", "member", 1],
  ] as const) {
    const query = { filterField: "role", filterOperator, filterValue: filterValue as string };
    expect([filterOperator, (await idsOf(query)).total]).toEqual([filterOperator, count]);
  }
  const later = {
    filterField: "createdAt",
    filterOperator: "gt",
    filterValue: "2000-01-01",
  } as const;
  expect((await idsOf(later)).total).toBe(4);
});

test.each([
  { limit: "many" },
  { offset: -1 },
  { sortBy: "email" },
  { filterField: "role" },
  { filterField: "searchKey", filterValue: "x" },
  { filterField: "createdAt", filterValue: "yesterday" },
])("list-members refuses %j", async (query) => {
  const { client, organizationId } = await aCrew("member");

  expect(await refusalOf(client.listMembers({ query: { organizationId, ...query } }))).toBe(
    "400 INVALID_PAYLOAD",
  );
});

test("get-active-member and get-active-member-role answer for the active organization", async () => {
  const { user, client, organizationId, own, admin } = await aCrew("member");
  expect(await refusalOf(client.getActiveMember())).toBe("400 NO_ACTIVE_ORGANIZATION");
  expect(await refusalOf(client.getActiveMemberRole())).toBe("400 NO_ACTIVE_ORGANIZATION");

  await client.setActive({ organizationId });

  expect(await dataOf(client.getActiveMember())).toMatchObject({
    id: own,
    role: "member",
    user: { email: user.email },
  });
  expect(await dataOf(client.getActiveMemberRole())).toEqual({ role: "member" });
  const ofAdmin = { query: { userId: admin.id } };
  expect(await dataOf(client.getActiveMemberRole(ofAdmin))).toEqual({ role: "admin" });
  const ofStranger = { query: { userId: UNKNOWN } };
  expect(await refusalOf(client.getActiveMemberRole(ofStranger))).toBe(
    "403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION",
  );
});

test("a removed member has no active organization on the next request", async () => {
  const owner = await aCrew("owner");
  const { organizationId } = owner;
  const removed = await aClient(gatehouse);
  const row = await aMember(gatehouse, {
    organization_id: organizationId,
    user_id: removed.user.id,
  });
  await dataOf(removed.client.setActive({ organizationId }));

  await dataOf(owner.client.removeMember({ organizationId, memberIdOrEmail: row.id }));

  expect((await removed.client.getFullOrganization()).data).toBeNull();
  expect(await refusalOf(removed.client.getActiveMember())).toBe("400 NO_ACTIVE_ORGANIZATION");
});
