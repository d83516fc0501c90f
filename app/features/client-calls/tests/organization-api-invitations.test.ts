import { afterAll, expect, test } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import { aClient, dataOf, refusalOf } from "../../../../tests/support/organization-client.ts";
import { anInvitation, anOrganization } from "../../../../tests/support/organizations.ts";
import { newEmail } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";

const gatehouse = await startGatehouse();
const { d1, mailbox } = gatehouse;
afterAll(() => gatehouse[Symbol.asyncDispose]());
const UNKNOWN = crypto.randomUUID();

/** Makes an organization of the client's user. */
async function anOwner() {
  const { user, client } = await aClient(gatehouse, { name: "Olga" });
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  return { user, client, organizationId: organization.id, organization };
}

test("invite-member writes the invitation and mails it", async () => {
  const { user, client, organizationId, organization } = await anOwner();
  const email = newEmail("invited");

  const made = await dataOf(
    client.inviteMember({ organizationId, email: email.toUpperCase(), role: ["admin"] }),
  );

  expect(made).toMatchObject({
    organizationId,
    email,
    role: "admin",
    status: "pending",
    teamId: null,
    inviterId: user.id,
  });
  const lasts = made.expiresAt.getTime() - made.createdAt.getTime();
  expect(lasts).toBe(7 * 86_400_000);
  const mail = await mailbox.mailFor(email);
  expect(mail.link).toContain(`/invitations/${made.id}?`);
  expect(mail.text).toContain("Olga");
  expect(mail.text).toContain(organization.name);
  const listed = await dataOf(client.listInvitations({ query: { organizationId } }));
  expect(listed).toEqual([made]);
});

test("invite-member refuses what the plugin refuses", async () => {
  const { user, client, organizationId } = await anOwner();
  const plain = await aClient(gatehouse);
  const asMember = await anOrganization(gatehouse, {}, { members: [plain.user] });
  const admin = await aClient(gatehouse);
  const asAdmin = await anOrganization(gatehouse, {}, { admins: [admin.user] });
  const email = newEmail("invited");
  const foreign = await anOwner();
  const input = { organizationId, email, role: "member" } as const;
  await dataOf(client.inviteMember(input));

  expect(await refusalOf(client.inviteMember(input))).toBe(
    "400 USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION",
  );
  expect(await refusalOf(client.inviteMember({ ...input, email: user.email }))).toBe(
    "400 USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION",
  );
  expect(await refusalOf(client.inviteMember({ ...input, email: "nobody" }))).toBe(
    "400 INVALID_EMAIL",
  );
  expect(await refusalOf(client.inviteMember({ ...input, role: "king" as "member" }))).toBe(
    "400 ROLE_NOT_FOUND",
  );
  expect(await refusalOf(plain.client.inviteMember({ email, role: "member" }))).toBe(
    "400 ORGANIZATION_NOT_FOUND",
  );
  for (const organizationId of [UNKNOWN, foreign.organizationId]) {
    expect(await refusalOf(plain.client.inviteMember({ ...input, organizationId }))).toBe(
      "400 MEMBER_NOT_FOUND",
    );
  }
  const byMember = { ...input, organizationId: asMember.organization.id };
  expect(await refusalOf(plain.client.inviteMember(byMember))).toBe(
    "403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION",
  );
  const owner = { ...input, organizationId: asAdmin.organization.id, role: "owner" } as const;
  expect(await refusalOf(admin.client.inviteMember(owner))).toBe(
    "403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE",
  );
});

test("invite-member sends an open invitation again, but not at once", async () => {
  const { client, organizationId } = await anOwner();
  const email = newEmail("invited");
  const input = { organizationId, email, role: "member" } as const;
  const first = await dataOf(client.inviteMember(input));
  await mailbox.mailFor(email);

  expect(await refusalOf(client.inviteMember({ ...input, resend: true }))).toBe(
    "429 TOO_MANY_REQUESTS",
  );
  await d1
    .prepare("UPDATE invitation SET sent_at = sent_at - 61000 WHERE id = ?")
    .bind(first.id)
    .run();
  const again = await dataOf(client.inviteMember({ ...input, resend: true }));

  expect(again.id).toBe(first.id);
  expect(again.expiresAt.getTime()).toBeGreaterThan(first.expiresAt.getTime());
  expect((await mailbox.mailFor(email)).link).toContain(first.id);
});

test("cancel-invitation answers the cancelled invitation", async () => {
  const { client, organizationId } = await anOwner();
  const foreign = await anOwner();
  const plain = await aClient(gatehouse);
  const { email, id } = await dataOf(
    client.inviteMember({ organizationId, email: newEmail(), role: "member" }),
  );
  const asMember = await anOrganization(
    gatehouse,
    {},
    { members: [plain.user], invitations: [{}] },
  );

  for (const invitationId of [UNKNOWN, id]) {
    expect(await refusalOf(foreign.client.cancelInvitation({ invitationId }))).toBe(
      "400 INVITATION_NOT_FOUND",
    );
  }
  const notOwn = { invitationId: asMember.invitations[0]?.id ?? "" };
  expect(await refusalOf(plain.client.cancelInvitation(notOwn))).toBe(
    "403 YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION",
  );
  expect(await dataOf(client.cancelInvitation({ invitationId: id }))).toMatchObject({
    id,
    email,
    status: "canceled",
  });
  expect(await refusalOf(client.cancelInvitation({ invitationId: id }))).toBe(
    "400 INVITATION_NOT_FOUND",
  );
});

test("accept-invitation makes a member, and the organization is active", async () => {
  const { client: inviter, user: owner, organizationId } = await anOwner();
  const { user, client } = await aClient(gatehouse);
  const { id } = await dataOf(
    inviter.inviteMember({ organizationId, email: user.email, role: "admin" }),
  );
  const [waiting] = await dataOf(client.listUserInvitations());
  expect(waiting).toMatchObject({ id, organizationId, email: user.email, status: "pending" });
  expect(await dataOf(client.getInvitation({ query: { id } }))).toMatchObject({
    id,
    organizationId,
    inviterEmail: owner.email,
    role: "admin",
  });

  const { invitation, member } = await dataOf(client.acceptInvitation({ invitationId: id }));

  expect(invitation).toMatchObject({ id, email: user.email, status: "accepted", role: "admin" });
  expect(member).toMatchObject({ organizationId, userId: user.id, role: "admin" });
  expect(await dataOf(client.getActiveMember())).toMatchObject({ id: member.id });
  expect(await refusalOf(client.acceptInvitation({ invitationId: id }))).toBe(
    "400 INVITATION_NOT_FOUND",
  );
  expect(await dataOf(client.listUserInvitations())).toEqual([]);
  const events = (await auditOf(gatehouse, organizationId)).map(({ action }) => action);
  expect(events.sort()).toEqual(["invitation.sent", "member.joined"]);
});

test("reject-invitation declines it", async () => {
  const { client: inviter, organizationId } = await anOwner();
  const { user, client } = await aClient(gatehouse);
  const { id } = await dataOf(
    inviter.inviteMember({ organizationId, email: user.email, role: "member" }),
  );

  expect(await dataOf(client.rejectInvitation({ invitationId: id }))).toMatchObject({
    invitation: { id, email: user.email, status: "rejected" },
    member: null,
  });
  expect(await refusalOf(client.rejectInvitation({ invitationId: id }))).toBe(
    "400 INVITATION_NOT_FOUND",
  );
});

test("an invitation is for its recipient, while it lasts and its e-mail is verified", async () => {
  const { user: owner, organizationId } = await anOwner();
  const { user, client } = await aClient(gatehouse);
  const stranger = await aClient(gatehouse);
  const unproven = await aClient(gatehouse);
  await d1.prepare("UPDATE user SET email_verified = 0 WHERE id = ?").bind(unproven.user.id).run();
  const make = (email: string, overrides = {}) =>
    anInvitation(gatehouse, {
      organization_id: organizationId,
      inviter_id: owner.id,
      email,
      ...overrides,
    });
  const open = await make(user.email);
  const toUnproven = await make(unproven.user.email);
  const expired = await make((await aClient(gatehouse)).user.email, { expires_at: Date.now() - 1 });
  const other = await anOwner();
  const late = await anInvitation(gatehouse, {
    organization_id: other.organizationId,
    inviter_id: other.user.id,
    email: user.email,
    expires_at: Date.now() - 1,
  });
  const everyWay = (who: typeof client, id: string) =>
    Promise.all([
      refusalOf(who.acceptInvitation({ invitationId: id })),
      refusalOf(who.rejectInvitation({ invitationId: id })),
      refusalOf(who.getInvitation({ query: { id } })),
    ]);

  const notFound = "400 INVITATION_NOT_FOUND";
  const notRecipient = "403 YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION";
  const notVerified = "403 EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION";
  expect(await everyWay(client, UNKNOWN)).toEqual([notFound, notFound, notFound]);
  expect(await everyWay(client, late.id)).toEqual([notFound, notFound, notFound]);
  for (const { id } of [open, expired]) {
    expect(await everyWay(stranger.client, id)).toEqual(Array(3).fill(notRecipient));
  }
  expect(await everyWay(unproven.client, toUnproven.id)).toEqual([
    ...[notVerified, notVerified],
    "403 EMAIL_VERIFICATION_REQUIRED_FOR_INVITATION",
  ]);
  expect(await refusalOf(unproven.client.listUserInvitations())).toBe(
    "403 EMAIL_VERIFICATION_REQUIRED_FOR_INVITATION",
  );
  expect(await refusalOf(client.listUserInvitations({ query: { email: user.email } }))).toBe(
    "400 INVALID_EMAIL",
  );
});

test("an invitation ends with its inviter's membership and with the organization", async () => {
  const { user: owner, organizationId } = await anOwner();
  const { user, client } = await aClient(gatehouse);
  const gone = await aClient(gatehouse);
  const { id } = await anInvitation(gatehouse, {
    organization_id: organizationId,
    inviter_id: gone.user.id,
    email: user.email,
  });
  const noInviter = "400 INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION";

  expect(await refusalOf(client.acceptInvitation({ invitationId: id }))).toBe(noInviter);
  expect(await refusalOf(client.getInvitation({ query: { id } }))).toBe(noInviter);
  await d1.prepare("UPDATE invitation SET inviter_id = ? WHERE id = ?").bind(owner.id, id).run();
  await d1
    .prepare("UPDATE organization SET disabled_at = 1 WHERE id = ?")
    .bind(organizationId)
    .run();
  expect(await refusalOf(client.acceptInvitation({ invitationId: id }))).toBe(
    "403 ORGANIZATION_DISABLED",
  );
});

test("list-invitations is for those who may invite, and only owners see invitations of owners", async () => {
  const admin = await aClient(gatehouse);
  const plain = await aClient(gatehouse);
  const { organization } = await anOrganization(
    gatehouse,
    {},
    { admins: [admin.user], members: [plain.user], invitations: [{}, { role: "owner" }] },
  );
  const query = { organizationId: organization.id };

  expect((await dataOf(admin.client.listInvitations({ query }))).map(({ role }) => role)).toEqual([
    "member",
  ]);
  expect(await refusalOf(plain.client.listInvitations({ query }))).toBe(
    "403 YOU_ARE_NOT_ALLOWED_TO_LIST_INVITATIONS",
  );
  const unknown = { query: { organizationId: UNKNOWN } };
  expect(await refusalOf(plain.client.listInvitations(unknown))).toBe(
    "403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION",
  );
});

test("list-user-invitations leaves out organizations that are disabled or being deleted", async () => {
  const { client: inviter, organizationId } = await anOwner();
  const { user, client } = await aClient(gatehouse);
  await dataOf(inviter.inviteMember({ organizationId, email: user.email, role: "member" }));
  expect(await dataOf(client.listUserInvitations())).toHaveLength(1);

  for (const column of ["disabled_at", "deletion_due_at"]) {
    const set = (value: string) =>
      gatehouse.d1
        .prepare(`UPDATE organization SET ${column} = ${value} WHERE id = ?`)
        .bind(organizationId)
        .run();
    await set("9e12");
    expect(await dataOf(client.listUserInvitations())).toEqual([]);
    await set("NULL");
  }
});
