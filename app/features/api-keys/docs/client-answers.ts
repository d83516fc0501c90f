import { z } from "zod";

// Answers of better-auth's endpoints, by path. The test of the client compares each with what the product answers.

const moment = z.iso.datetime();
const text = z.string().nullable();

const user = {
  id: z.string(),
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  image: text,
  role: z.string().describe("Roles, joined by commas."),
  banned: z.boolean(),
  banReason: text,
  banExpires: moment.nullable(),
  onboardedAt: moment.nullable().describe("When the user gave a name; null until then."),
  language: text,
  deletionDueAt: moment.nullable(),
  createdAt: moment,
  updatedAt: moment,
};

const User = z.strictObject({ ...user, lastSeenAt: moment.nullable() }).meta({ id: "User" });

const OwnUser = z
  .strictObject({
    ...user,
    avatar: text,
    theme: text,
    termsDue: text.describe("The version of the terms to accept on the website."),
  })
  .meta({ id: "OwnUser" });

const session = {
  id: z.string(),
  token: z.string().describe("The id again: sessions are named by it. Tokens stay in the cookie."),
  userId: z.string(),
  expiresAt: moment,
  ipAddress: text,
  userAgent: text,
  impersonatedBy: text,
  activeOrganizationId: text,
  activeTeamId: text,
  createdAt: moment,
  updatedAt: moment,
};

const Session = z
  .strictObject({ ...session, place: text, lastSeenAt: moment.nullable() })
  .meta({ id: "Session" });

const OwnSession = z
  .strictObject({
    ...session,
    authenticatedAt: moment.nullable(),
    impersonation: z.strictObject({ manager: z.string(), endsAt: moment }).nullable(),
    passkeyDemand: z.enum(["add", "confirm"]).nullable(),
    passkeyGraceEndsAt: moment.nullable(),
  })
  .meta({ id: "OwnSession" });

const Account = z
  .strictObject({
    id: z.string(),
    providerId: z.string(),
    accountId: z.string(),
    userId: z.string(),
    email: text,
    scopes: z.array(z.string()),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: "Account" });

const Passkey = z
  .strictObject({
    id: z.string(),
    name: text,
    userId: z.string(),
    publicKey: z.string(),
    credentialID: z.string(),
    counter: z.int(),
    deviceType: z.string(),
    backedUp: z.boolean(),
    transports: text,
    aaguid: text,
    createdAt: moment.nullable(),
    lastUsedAt: moment.nullable(),
  })
  .meta({ id: "Passkey" });

const organization = {
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  logo: text,
  metadata: z.record(z.string(), z.unknown()).nullable(),
  createdAt: moment,
};
const Organization = z.strictObject(organization).meta({ id: "Organization" });

const member = {
  id: z.string(),
  organizationId: z.string(),
  userId: z.string(),
  role: z.string(),
  createdAt: moment,
};
const Member = z.strictObject(member).meta({ id: "Member" });
const MemberWithUser = z
  .strictObject({
    ...member,
    user: z.strictObject({ id: z.string(), name: z.string(), email: z.string(), image: text }),
  })
  .meta({ id: "MemberWithUser" });

const Team = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    organizationId: z.string(),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: "Team" });

const TeamWithCount = Team.extend({ memberCount: z.int() }).meta({ id: "TeamWithCount" });

const TeamMember = z
  .strictObject({
    id: z.string(),
    teamId: z.string(),
    userId: z.string(),
    createdAt: moment.nullable(),
  })
  .meta({ id: "TeamMember" });

const invitation = {
  id: z.string(),
  organizationId: z.string(),
  email: z.string(),
  role: text,
  status: z.enum(["pending", "accepted", "rejected", "canceled"]),
  teamId: text,
  inviterId: z.string(),
  expiresAt: moment,
  createdAt: moment,
};
const Invitation = z.strictObject(invitation).meta({ id: "Invitation" });

const Status = z.strictObject({ status: z.boolean() });
const Success = z.strictObject({ success: z.boolean() });
const Granted = z.strictObject({ error: z.null(), success: z.boolean() });
const Message = z.strictObject({ message: z.string() });
const Redirect = z.strictObject({
  url: z.string(),
  redirect: z.boolean().describe("True when the client goes to the URL."),
});
const OneUser = z.strictObject({ user: User });
/** Options of WebAuthn. */
const Options = z.looseObject({ challenge: z.string() });

/** The body of a 200, by path. */
export const CLIENT_ANSWERS: Record<string, z.ZodType> = {
  "/get-session": z.strictObject({ session: OwnSession, user: OwnUser }).nullable(),
  "/ok": z.strictObject({ ok: z.literal(true) }),
  "/sign-out": z.union([z.strictObject({ success: z.boolean() }), Redirect]),
  "/list-sessions": z.array(Session),
  "/revoke-session": Status,
  "/revoke-sessions": Status,
  "/revoke-other-sessions": Status,
  "/update-user": Status,
  "/delete-user": z.strictObject({
    success: z.boolean(),
    message: z.literal("User deleted"),
    code: z
      .literal("DELETION_STARTED")
      .describe("A call without `otp` sends a code and is refused with OTP_REQUIRED."),
  }),
  "/list-accounts": z.array(Account),
  "/unlink-account": Status,
  "/change-email": Status,
  "/email-otp/send-verification-otp": Success,
  "/email-otp/verify-email": z.strictObject({
    status: z.literal(true),
    token: z.null(),
    user: OwnUser,
  }),
  "/email-otp/request-email-change": Success,
  "/email-otp/change-email": Success,
  "/sign-in/email-otp": OneUser,
  "/sign-in/social": Redirect,
  "/link-social": Redirect,
  "/passkey/generate-authenticate-options": Options,
  "/passkey/generate-register-options": Options,
  "/passkey/verify-registration": z.strictObject({ id: z.string() }),
  "/passkey/verify-authentication": z.union([
    z.strictObject({ session: Session, user: User }),
    Redirect.describe("With a `callbackURL`."),
  ]),
  "/passkey/confirm-session": z.strictObject({ confirmed: z.literal(true) }),
  "/passkey/list-user-passkeys": z.array(Passkey),
  "/passkey/update-passkey": z.strictObject({ passkey: Passkey }),
  "/passkey/delete-passkey": Status,

  "/admin/list-users": z.strictObject({
    users: z.array(User),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
  }),
  "/admin/get-user": User,
  "/admin/create-user": OneUser,
  "/admin/update-user": User,
  "/admin/set-role": OneUser,
  "/admin/ban-user": OneUser,
  "/admin/unban-user": OneUser,
  "/admin/list-user-sessions": z.strictObject({ sessions: z.array(Session) }),
  "/admin/revoke-user-session": Success,
  "/admin/revoke-user-sessions": Success,
  "/admin/impersonate-user": z.strictObject({ session: Session, user: User }),
  "/admin/stop-impersonating": Redirect,
  "/admin/remove-user": Success,
  "/admin/has-permission": Granted,

  "/organization/create": z.strictObject({ ...organization, members: z.array(Member) }),
  "/organization/check-slug": Status,
  "/organization/update": Organization,
  "/organization/delete": Organization,
  "/organization/set-active": Organization.nullable(),
  "/organization/list": z.array(Organization),
  "/organization/get-organization": Organization.nullable(),
  "/organization/get-full-organization": z
    .strictObject({
      ...organization,
      members: z.array(MemberWithUser),
      teams: z.array(TeamWithCount),
      invitations: z.array(Invitation),
    })
    .nullable(),
  "/organization/has-permission": Granted,
  "/organization/invite-member": Invitation,
  "/organization/cancel-invitation": Invitation,
  "/organization/accept-invitation": z.strictObject({ invitation: Invitation, member: Member }),
  "/organization/reject-invitation": z.strictObject({ invitation: Invitation, member: z.null() }),
  "/organization/get-invitation": z.strictObject({
    ...invitation,
    organizationName: z.string(),
    organizationSlug: z.string(),
    inviterEmail: z.string(),
  }),
  "/organization/list-invitations": z.array(Invitation),
  "/organization/list-user-invitations": z.array(
    z.strictObject({ ...invitation, organizationName: z.string() }),
  ),
  "/organization/remove-member": z.strictObject({ member: Member }),
  "/organization/update-member-role": Member,
  "/organization/leave": MemberWithUser,
  "/organization/list-members": z.strictObject({
    members: z.array(MemberWithUser),
    total: z.int(),
  }),
  "/organization/get-active-member": MemberWithUser,
  "/organization/get-active-member-role": z.strictObject({ role: z.string() }),
  "/organization/create-team": Team,
  "/organization/update-team": Team,
  "/organization/remove-team": Message,
  "/organization/list-teams": z.array(Team),
  "/organization/set-active-team": Team.nullable(),
  "/organization/list-user-teams": z.array(Team),
  "/organization/list-team-members": z.array(TeamMember),
  "/organization/add-team-member": TeamMember,
  "/organization/remove-team-member": Message,
};

export const ClientRefusalBody = z
  .strictObject({
    code: z.string().describe("For programs; it never changes."),
    message: z.string().describe("In the language of the cookie or of `Accept-Language`."),
    field: z.string().optional().describe("The field that was not accepted, such as `data.name`."),
  })
  .meta({ id: "Refusal" });
