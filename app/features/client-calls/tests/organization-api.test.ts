import { afterAll, expect, test } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import { aClient, dataOf, refusalOf } from "../../../../tests/support/organization-client.ts";
import { anOrganization, newSlug } from "../../../../tests/support/organizations.ts";
import { aUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const UNKNOWN = crypto.randomUUID();

async function activeOf(userId: string) {
  return gatehouse.d1
    .prepare("SELECT active_organization_id AS organization FROM session WHERE user_id = ?")
    .bind(userId)
    .first<{ organization: string | null }>();
}

test("create makes an organization with its owner, and makes it active", async () => {
  const { user, client } = await aClient(gatehouse);
  const slug = newSlug();

  const created = await dataOf(
    client.create({ name: " Acme  Ltd ", slug: slug.toUpperCase(), metadata: { plan: "free" } }),
  );

  expect(created).toMatchObject({ name: "Acme Ltd", slug, logo: null, metadata: { plan: "free" } });
  expect(created.createdAt).toBeInstanceOf(Date);
  expect(created.members).toMatchObject([
    { organizationId: created.id, userId: user.id, role: "owner" },
  ]);
  expect(await activeOf(user.id)).toEqual({ organization: created.id });
  expect((await auditOf(gatehouse, created.id)).map(({ action }) => action)).toEqual([
    "organization.created",
  ]);
});

test("create keeps the active organization on request", async () => {
  const { user, client } = await aClient(gatehouse);

  await dataOf(
    client.create({ name: "Acme", slug: newSlug(), keepCurrentActiveOrganization: true }),
  );

  expect(await activeOf(user.id)).toEqual({ organization: null });
});

test.each(["", null])("the logo %j is no logo, as the forms of clients send it", async (logo) => {
  const { client, user } = await aClient(gatehouse);
  const sent = { name: "Acme", slug: newSlug(), logo: logo ?? undefined };
  const created = await dataOf(client.create(sent));
  await gatehouse.d1
    .prepare("UPDATE organization SET logo = 'old.webp' WHERE id = ?")
    .bind(created.id)
    .run();

  const data = { name: "Acme Two", logo: logo as string };
  const updated = await dataOf(client.update({ organizationId: created.id, data }));

  expect(created.logo).toBeNull();
  expect(updated).toMatchObject({ name: "Acme Two", logo: null });
  const full = await dataOf(client.getFullOrganization());
  expect(full).toMatchObject({ logo: null });
  const audit = (await auditOf(gatehouse, created.id)).map(({ action }) => action);
  expect(audit).toContain("organization.logo_removed");
  expect(user.id).toBe(full.members[0]?.userId);
});

test("create refuses bad names, slugs and logos, and a taken slug", async () => {
  const { client } = await aClient(gatehouse);
  const { organization } = await anOrganization(gatehouse);
  const { slug } = organization;

  expect(await refusalOf(client.create({ name: "Acme", slug }))).toBe(
    "400 ORGANIZATION_ALREADY_EXISTS",
  );
  for (const input of [
    { name: " ", slug: newSlug() },
    { name: "Acme", slug: "manager" },
    { name: "Acme", slug: "a b" },
    { name: "Acme", slug: newSlug(), logo: "https://example.com/logo.png" },
    { name: "Acme", slug: newSlug(), metadata: { text: "x".repeat(5_000) } },
  ]) {
    expect(await refusalOf(client.create(input))).toBe("400 INVALID_PAYLOAD");
  }
});

test("check-slug tells whether a slug is free", async () => {
  const { client } = await aClient(gatehouse);
  const { organization } = await anOrganization(gatehouse);

  expect(await dataOf(client.checkSlug({ slug: newSlug("free") }))).toEqual({ status: true });
  for (const slug of [organization.slug, organization.slug.toUpperCase(), "manager", "é"]) {
    expect(await refusalOf(client.checkSlug({ slug }))).toBe("400 ORGANIZATION_SLUG_ALREADY_TAKEN");
  }
});

test("update changes what it names and keeps the rest", async () => {
  const { user, client } = await aClient(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const organizationId = organization.id;

  const named = await dataOf(client.update({ organizationId, data: { name: "New name" } }));
  const moved = newSlug("moved");
  const renamed = await dataOf(
    client.update({ organizationId, data: { slug: moved, metadata: { plan: "paid" } } }),
  );

  expect(named).toMatchObject({ name: "New name", slug: organization.slug });
  expect(renamed).toMatchObject({ name: "New name", slug: moved, metadata: { plan: "paid" } });
  const [read] = await dataOf(client.list());
  expect(read).toMatchObject({ id: organizationId, name: "New name", slug: moved });
  expect(read?.metadata).toEqual({ plan: "paid" });
});

test("update answers the plugin's refusals", async () => {
  const { user, client } = await aClient(gatehouse);
  const other = await anOrganization(gatehouse);
  const own = await anOrganization(gatehouse, {}, { owner: user });
  const asMember = await anOrganization(gatehouse, {}, { members: [user] });
  const data = { name: "New" };

  expect(await refusalOf(client.update({ data }))).toBe("400 ORGANIZATION_NOT_FOUND");
  for (const organizationId of [UNKNOWN, other.organization.id]) {
    expect(await refusalOf(client.update({ organizationId, data }))).toBe(
      "400 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
    );
  }
  expect(await refusalOf(client.update({ organizationId: asMember.organization.id, data }))).toBe(
    "403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION",
  );
  expect(
    await refusalOf(
      client.update({
        organizationId: own.organization.id,
        data: { slug: other.organization.slug },
      }),
    ),
  ).toBe("400 ORGANIZATION_SLUG_ALREADY_TAKEN");
});

test("delete starts the grace period, in which nothing changes", async () => {
  const { user, client } = await aClient(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const organizationId = organization.id;

  expect(await dataOf(client.delete({ organizationId }))).toMatchObject({ id: organizationId });

  const due = await gatehouse.d1
    .prepare("SELECT deletion_due_at FROM organization WHERE id = ?")
    .bind(organizationId)
    .first<number>("deletion_due_at");
  expect(due).toBeGreaterThan(Date.now() + 6 * 86_400_000);
  expect(await refusalOf(client.delete({ organizationId }))).toBe("403 ORGANIZATION_BEING_DELETED");
  const late = { organizationId, email: "late@example.com", role: "member" } as const;
  expect(await refusalOf(client.inviteMember(late))).toBe("403 ORGANIZATION_BEING_DELETED");
  expect((await dataOf(client.list())).map(({ id }) => id)).toEqual([organizationId]);
});

test("delete is for owners", async () => {
  const { user, client } = await aClient(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { admins: [user] });

  expect(await refusalOf(client.delete({ organizationId: organization.id }))).toBe(
    "403 YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION",
  );
  expect(await refusalOf(client.delete({ organizationId: UNKNOWN }))).toBe(
    "400 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
  );
});

test("set-active sets the organization by id and by slug, and none with null", async () => {
  const { user, client } = await aClient(gatehouse);
  const first = await anOrganization(gatehouse, {}, { owner: user });
  const second = await anOrganization(gatehouse, {}, { members: [user] });

  const set = await dataOf(client.setActive({ organizationId: first.organization.id }));
  expect(set).toMatchObject({ id: first.organization.id, slug: first.organization.slug });
  const bySlug = { organizationSlug: second.organization.slug };
  expect(await dataOf(client.setActive(bySlug))).toMatchObject({ id: second.organization.id });
  expect((await activeOf(user.id))?.organization).toBe(second.organization.id);

  expect((await client.setActive({ organizationId: null })).data).toBeNull();
  expect(await activeOf(user.id)).toEqual({ organization: null });
});

test("set-active answers an unknown and a foreign organization alike, and keeps the active one", async () => {
  const { user, client } = await aClient(gatehouse);
  const own = await anOrganization(gatehouse, {}, { owner: user });
  const foreign = await anOrganization(gatehouse);
  await client.setActive({ organizationId: own.organization.id });

  for (const named of [
    { organizationId: UNKNOWN },
    { organizationId: foreign.organization.id },
    { organizationSlug: newSlug("unknown") },
    { organizationSlug: foreign.organization.slug },
  ]) {
    expect(await refusalOf(client.setActive(named))).toBe(
      "403 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
    );
  }
  expect((await activeOf(user.id))?.organization).toBe(own.organization.id);
});

test("get-full-organization answers members and invitations", async () => {
  const { user, client } = await aClient(gatehouse);
  const admin = await aUser(gatehouse, { name: "Ada" });
  const made = await anOrganization(
    gatehouse,
    { logo: "logo.webp" },
    { owner: user, admins: [admin], invitations: [{}, { role: "owner" }] },
  );
  expect((await client.getFullOrganization()).data).toBeNull();

  const full = await dataOf(
    client.getFullOrganization({ query: { organizationSlug: made.organization.slug } }),
  );

  expect(full).toMatchObject({ id: made.organization.id, name: made.organization.name });
  expect(full.logo).toBe(`${gatehouse.origin}/logos/logo.webp`);
  expect(full.members.map((member) => [member.role, member.user.email])).toEqual(
    expect.arrayContaining([
      ["owner", user.email],
      ["admin", admin.email],
    ]),
  );
  expect(full.invitations.map(({ role }) => role).sort()).toEqual(["member", "owner"]);
  const one = { organizationId: made.organization.id, membersLimit: 1 };
  expect((await dataOf(client.getFullOrganization({ query: one }))).members).toHaveLength(1);
});

test.each([
  ["an admin", "admins", ["member"]],
  ["a member", "members", []],
] as const)(
  "get-full-organization shows %s the invitations they may see",
  async (_who, part, roles) => {
    const { user, client } = await aClient(gatehouse);
    const parts = { [part]: [user], invitations: [{}, { role: "owner" as const }] };
    const { organization } = await anOrganization(gatehouse, {}, parts);

    const query = { organizationId: organization.id };
    const full = await dataOf(client.getFullOrganization({ query }));

    expect(full.invitations.map(({ role }) => role)).toEqual(roles);
  },
);

test("has-permission answers by the access table, as the client does by itself", async () => {
  const { user, client } = await aClient(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { admins: [user] });
  const organizationId = organization.id;
  const ask = async (permissions: Record<string, string[]>) => {
    const answer = await dataOf(client.hasPermission({ organizationId, permissions }));
    return answer.success;
  };

  expect(await ask({ organization: ["update"], invitation: ["create", "cancel"] })).toBe(true);
  expect(await ask({ organization: ["update", "delete"] })).toBe(false);
  expect(await ask({ nothing: ["update"] })).toBe(false);
  expect(await ask({ constructor: ["name"] })).toBe(false);
  expect(await ask({})).toBe(false);
  expect(
    client.checkRolePermission({ role: "admin", permissions: { organization: ["delete"] } }),
  ).toBe(false);
  const unknown = { organizationId: UNKNOWN, permissions: { invitation: ["create" as const] } };
  expect(await refusalOf(client.hasPermission(unknown))).toBe(
    "401 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
  );
});
