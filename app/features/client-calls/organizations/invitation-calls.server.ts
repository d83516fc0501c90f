import { and, asc, desc, eq, sql } from "drizzle-orm";
import { invitation, organization } from "../../../db/schema/schema.ts";
import { isValid } from "../../../db/waiting-invitation.ts";
import { roleCan } from "../../access/organization-permissions.ts";
import type { OrganizationRole } from "../../access/role-names.ts";
import {
  type ApiResult,
  actorOf,
  answer,
  type ClientCall,
  commandOn,
} from "../../organizations/api/api-call.server.ts";
import { selectOwn } from "../../organizations/api/own-organization.server.ts";
import {
  acceptInvitation,
  declineInvitation,
  findAnswerRefusal,
  findInvitation,
} from "../../organizations/invitations/invitation-answer.server.ts";
import {
  cancelInvitation,
  findInviter,
  type InvitationServices,
  invite,
  resendInvitation,
} from "../../organizations/invitations/invitation-commands.server.ts";
import type { RoleMailServices } from "../../organizations/members/role-mail.server.ts";
import {
  idOf,
  type OrganizationCall,
  type Refusal,
  refuse,
} from "../../organizations/standing.server.ts";
import { INVITATION, shownInvitation } from "./api-rows.server.ts";
import { selectInvitations } from "./organization-calls.server.ts";

type Invited = { email: string; role: OrganizationRole; teamId?: string; resend?: boolean };

/**
 * Invites an e-mail, or sends its open invitation again with `resend`. Errors: those of `invite`
 * and `resendInvitation`.
 */
export async function inviteMember(
  call: ClientCall,
  target: OrganizationCall,
  { resend, ...invited }: Invited,
): Promise<ApiResult> {
  const inviter = await findInviter(target);
  if (!inviter.ok) return inviter;
  const { id: organizationId, name } = inviter.standing;
  const services = servicesOf(call);
  const open = resend ? await findOpen(call, target, invited.email) : undefined;
  if (open) {
    const sent = await resendInvitation(target, services, {
      id: open.id,
      isProved: call.isFresh,
    });
    return sent.ok ? answer(shownInvitation(sent.invitation)) : sent;
  }
  const made = await invite(target, services, name, invited);
  if (!made.ok) return made;
  const { id, createdAt, expiresAt } = made;
  const { email, role, teamId = null } = invited;
  return answer({
    id,
    organizationId,
    email,
    role,
    status: "pending",
    teamId,
    inviterId: call.current.user.id,
    expiresAt,
    createdAt,
  });
}

async function findOpen({ db, info }: ClientCall, { key }: OrganizationCall, email: string) {
  const [found] = await db
    .select({ id: invitation.id })
    .from(invitation)
    .where(
      and(
        eq(invitation.organizationId, idOf(key)),
        eq(invitation.email, email),
        eq(invitation.status, "pending"),
        sql`${invitation.expiresAt} > ${info.now().getTime()}`,
      ),
    );
  return found;
}

/** Returns what the commands that send mails need. */
export function servicesOf({
  db,
  mailer,
  baseUrl,
  current,
  language,
  info,
}: ClientCall): InvitationServices & RoleMailServices {
  const { afterAnswer } = info;
  return { db, mailer, baseUrl, sender: current.user.name, language, afterAnswer };
}

/** Errors: INVITATION_NOT_FOUND, also in a foreign organization, and those of `cancelInvitation`. */
export async function cancel(
  call: ClientCall,
  { invitationId }: { invitationId: string },
): Promise<ApiResult> {
  const id = sql<string>`(SELECT ${invitation.organizationId} FROM ${invitation} WHERE ${invitation.id} = ${invitationId})`;
  const cancelled = await cancelInvitation(commandOn(call, { id }), invitationId);
  return cancelled.ok ? answer(shownInvitation(cancelled.invitation)) : cancelled;
}

/** The plugin has one code for expired and answered invitations. */
function asInPlugin(refusal: Refusal): Refusal {
  return refusal.code === "INVITATION_EXPIRED" ? refuse("INVITATION_NOT_FOUND") : refusal;
}

/** Errors: those of `acceptInvitation`. */
export async function accept(
  call: ClientCall,
  { invitationId: id }: { invitationId: string },
): Promise<ApiResult> {
  const { user, session } = call.current;
  const input = { id, sessionId: session.id, own: user };
  const accepted = await acceptInvitation(call.db, actorOf(call), input);
  if (!accepted.ok) return asInPlugin(accepted);
  return answer({ invitation: shownInvitation(accepted.invitation), member: accepted.member });
}

/** Errors: those of `declineInvitation`. */
export async function reject(
  call: ClientCall,
  { invitationId: id }: { invitationId: string },
): Promise<ApiResult> {
  const declined = await declineInvitation(call.db, actorOf(call), { id, own: call.current.user });
  if (!declined.ok) return asInPlugin(declined);
  return answer({ invitation: shownInvitation(declined.invitation), member: null });
}

/** Returns an invitation to its recipient. Errors: those of `findAnswerRefusal`. */
export async function get(
  { db, current, info }: ClientCall,
  { id }: { id: string },
): Promise<ApiResult> {
  const found = await findInvitation(db, id, info.now());
  const refusal = findAnswerRefusal(found, current.user, info.now());
  if (refusal?.code === "EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION") {
    return refuse("EMAIL_VERIFICATION_REQUIRED_FOR_INVITATION");
  }
  if (refusal || !found) return asInPlugin(refusal ?? refuse("INVITATION_NOT_FOUND"));
  if (!found.isClosed && !found.isValid)
    return refuse("INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION");
  const { organizationName, organizationSlug, inviterEmail } = found;
  return answer({ ...shownInvitation(found), organizationName, organizationSlug, inviterEmail });
}

/** Lists the latest invitations of an organization, to members who may invite. */
export async function list(_call: ClientCall, target: OrganizationCall): Promise<ApiResult> {
  const [[found], invitations] = await target.db.batch([
    selectOwn(target),
    selectInvitations(target),
  ]);
  if (!found) return refuse("ORGANIZATION_NOT_FOUND");
  if (!roleCan(found.role, "invitation", "create")) {
    return refuse("YOU_ARE_NOT_ALLOWED_TO_LIST_INVITATIONS");
  }
  return answer(invitations);
}

/**
 * Lists the unanswered invitations to the user's e-mail that can still be accepted, or sent again. Error:
 * EMAIL_VERIFICATION_REQUIRED_FOR_INVITATION.
 */
export async function listOfUser({ db, current, info }: ClientCall): Promise<ApiResult> {
  const { email, emailVerified } = current.user;
  if (!emailVerified) return refuse("EMAIL_VERIFICATION_REQUIRED_FOR_INVITATION");
  const rows = await db
    .select({ ...INVITATION, organizationName: organization.name })
    .from(invitation)
    .innerJoin(organization, eq(organization.id, invitation.organizationId))
    .where(and(eq(invitation.email, email), eq(invitation.status, "pending"), isValid(info.now())))
    .orderBy(desc(invitation.createdAt), asc(invitation.id))
    .limit(100);
  return answer(rows);
}
