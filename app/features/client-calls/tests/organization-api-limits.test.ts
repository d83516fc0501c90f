import { afterAll, expect, test } from "vitest";
import { insertRows } from "../../../../tests/support/insert.ts";
import { aClient, dataOf, refusalOf } from "../../../../tests/support/organization-client.ts";
import { anInvitation, anOrganization, newSlug } from "../../../../tests/support/organizations.ts";
import { manyUsers, newEmail } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";

const gatehouse = await startGatehouse();
const { d1 } = gatehouse;
afterAll(() => gatehouse[Symbol.asyncDispose]());

test("a user is in 10 organizations at most", async () => {
  const { user, client } = await aClient(gatehouse);
  for (let made = 0; made < 10; made++) await anOrganization(gatehouse, {}, { owner: user });
  const { organization, ownerId } = await anOrganization(gatehouse);
  const { id: invitationId } = await anInvitation(gatehouse, {
    organization_id: organization.id,
    inviter_id: ownerId,
    email: user.email,
  });
  const refused = "403 YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS";

  const slug = newSlug();
  expect(await refusalOf(client.create({ name: "One more", slug }))).toBe(refused);
  expect(await refusalOf(client.acceptInvitation({ invitationId }))).toBe(refused);
  // The refused creation left nothing.
  expect(await dataOf(client.checkSlug({ slug }))).toEqual({ status: true });
  const waiting = await dataOf(client.listUserInvitations());
  expect(waiting.map(({ id }) => id)).toEqual([invitationId]);
});

test("an organization has 100 members at most", async () => {
  const { user, client } = await aClient(gatehouse);
  const others = await manyUsers(
    gatehouse,
    Array.from({ length: 99 }, () => ({})),
  );
  const { organization, ownerId } = await anOrganization(gatehouse, {}, { members: others });
  const { id: invitationId } = await anInvitation(gatehouse, {
    organization_id: organization.id,
    inviter_id: ownerId,
    email: user.email,
  });

  expect(await refusalOf(client.acceptInvitation({ invitationId }))).toBe(
    "403 ORGANIZATION_MEMBERSHIP_LIMIT_REACHED",
  );
  await d1.prepare("DELETE FROM member WHERE user_id = ?").bind(others[0]?.id).run();
  expect(await refusalOf(client.acceptInvitation({ invitationId }))).toBe("ok");
});

test("an organization has 100 open invitations at most", async () => {
  const { user, client } = await aClient(gatehouse, { created_at: 1 });
  const yesterday = Date.now() - 25 * 3_600_000;
  const invitations = Array.from({ length: 100 }, () => ({ created_at: yesterday }));
  const made = await anOrganization(gatehouse, {}, { owner: user, invitations });
  const organizationId = made.organization.id;
  const input = { organizationId, email: newEmail("invited"), role: "member" } as const;

  expect(await refusalOf(client.inviteMember(input))).toBe("403 INVITATION_LIMIT_REACHED");
  await dataOf(client.cancelInvitation({ invitationId: made.invitations[0]?.id ?? "" }));
  expect(await refusalOf(client.inviteMember(input))).toBe("ok");
});

test("lists answer 100 rows at most", async () => {
  const { user, client } = await aClient(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const now = Date.now() - 2 * 86_400_000;
  const rows = Array.from({ length: 120 }, () => ({
    id: crypto.randomUUID(),
    organization_id: organization.id,
    inviter_id: user.id,
    email: newEmail("old"),
    role: "member",
    status: "canceled",
    expires_at: now,
    created_at: now,
    sent_at: now,
  }));
  for (const part of [rows.slice(0, 60), rows.slice(60)]) await insertRows(d1, "invitation", part);
  const query = { organizationId: organization.id };

  expect(await dataOf(client.listInvitations({ query }))).toHaveLength(100);
  expect((await dataOf(client.listMembers({ query: { ...query, limit: 500 } }))).total).toBe(1);
});
