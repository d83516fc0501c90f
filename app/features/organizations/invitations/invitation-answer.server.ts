import { and, eq, exists, gt, isNull, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { changeAndRecord, recordAndChange, spendAndRecord } from "../../../db/change.server.ts";
import type { Db } from "../../../db/db.server.ts";
import { rowValues } from "../../../db/row-values.ts";
import { invitation, member, organization, session, user } from "../../../db/schema/schema.ts";
import { isValid } from "../../../db/waiting-invitation.ts";
import type { Actor } from "../../audit/audit.server.ts";
import { canOwn } from "../members/member-commands.server.ts";
import { attempt, eventIn, type Refusal, refuse } from "../standing.server.ts";

/** An invitation with what its page and a client may know. */
export type ReceivedInvitation = NonNullable<Awaited<ReturnType<typeof findInvitation>>>;

/** The e-mail of the user who answers. */
type Own = { email: string; emailVerified: boolean };

type Accepted = { ok: true; invitation: ReceivedInvitation; member: typeof member.$inferSelect };

/** Finds an invitation with its organization, its inviter and whether it can still lead into the organization. */
export async function findInvitation(db: Db, id: string, now: Date) {
  const [row] = await selectInvitation(db, id, now);
  return row;
}

/** Finds it for its page, with the rows of the features' panels. */
export async function loadInvitation(
  db: Db,
  id: string,
  now: Date,
  panels: readonly BatchItem<"sqlite">[],
) {
  const [[found], ...panelRows] = await db.batch([selectInvitation(db, id, now), ...panels]);
  return { found, panelRows };
}

function selectInvitation(db: Db, id: string, now: Date) {
  return db
    .select({
      id: invitation.id,
      organizationId: invitation.organizationId,
      email: invitation.email,
      role: invitation.role,
      teamId: invitation.teamId,
      status: invitation.status,
      expiresAt: invitation.expiresAt,
      inviterId: invitation.inviterId,
      createdAt: invitation.createdAt,
      memberId: invitation.memberId,
      handsOver: invitation.handsOver,
      organizationName: organization.name,
      organizationSlug: organization.slug,
      logo: organization.logo,
      isClosed:
        sql<number>`(${organization.disabledAt} IS NOT NULL OR ${organization.deletionDueAt} IS NOT NULL)`
          .mapWith(Boolean)
          .as("is_closed"),
      inviterName: sql<string>`${user.name}`.as("inviter_name"),
      inviterEmail: sql<string>`${user.email}`.as("inviter_email"),
      isValid: isValid(now).mapWith(Boolean).as("is_valid"),
    })
    .from(invitation)
    .innerJoin(organization, eq(organization.id, invitation.organizationId))
    .innerJoin(user, eq(user.id, invitation.inviterId))
    .where(eq(invitation.id, id));
}

/** Returns why an invitation cannot be answered by a user with this e-mail; undefined when it can. */
export function findAnswerRefusal(
  found: ReceivedInvitation | undefined,
  own: Own,
  now: Date,
): Refusal | undefined {
  if (!found) return refuse("INVITATION_NOT_FOUND");
  if (found.email !== own.email) return refuse("YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION");
  if (!own.emailVerified) {
    return refuse("EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION");
  }
  if (found.status !== "pending") return refuse("INVITATION_NOT_FOUND");
  if (found.expiresAt <= now) return refuse("INVITATION_EXPIRED");
  return undefined;
}

/** SQL condition: the invitation waits for an answer of the actor, whose e-mail is the invited one now. */
function isWaiting(id: string, actor: Actor) {
  const ownEmail = sql`(SELECT ${user.email} FROM ${user} WHERE ${user.id} = ${actor.actorId} AND ${user.emailVerified} = 1)`;
  return and(
    eq(invitation.id, id),
    eq(invitation.status, "pending"),
    gt(invitation.expiresAt, actor.source.now()),
    eq(invitation.email, ownEmail),
  );
}

/**
 * Accepts an invitation: in one batch the actor becomes a member, and the organization becomes active in the session.
 * An offer of ownership makes a member an owner. Of several answers at once one counts. Errors: those of
 * `findAnswerRefusal`, INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION, ORGANIZATION_DISABLED, and the limits.
 */
export async function acceptInvitation(
  db: Db,
  actor: Actor,
  input: { id: string; sessionId: string; own: Own },
): Promise<Accepted | Refusal> {
  const { id, sessionId, own } = input;
  const now = actor.source.now();
  const memberId = crypto.randomUUID();
  const ofInvitation = sql`FROM ${invitation} WHERE ${invitation.id} = ${id}`;
  const organizationId = sql<string>`(SELECT ${invitation.organizationId} ${ofInvitation})`;
  const membership = rowValues(member, {
    id: memberId,
    userId: actor.actorId,
    createdAt: now,
    organizationId: sql`${invitation.organizationId}`,
    role: sql`coalesce(${invitation.role}, 'member')`,
  });
  return attempt(async () => {
    const answer = await spendAndRecord(db, {
      spend: db
        .update(invitation)
        .set({ status: "accepted", answeredAt: now })
        .where(and(isWaiting(id, actor), isValid(now), isNull(invitation.memberId))),
      // If a manager has added the user meanwhile, that membership stays as it is.
      change: (isAccepted) =>
        db
          .insert(member)
          .select(sql`SELECT ${membership} ${ofInvitation} AND ${isAccepted}`)
          .onConflictDoNothing(),
      event: eventIn({ actor, key: organizationId }, "member.joined", {
        member: actor.actorId,
        invitation: id,
        ids: { member: memberId },
      }),
      next: (isJoined) => ({
        active: db
          .update(session)
          .set({
            activeOrganizationId: organizationId,
            activeTeamId: sql`(SELECT ${invitation.teamId} ${ofInvitation})`,
          })
          .where(and(eq(session.id, sessionId), eq(session.userId, actor.actorId), isJoined)),
        last: db
          .update(user)
          .set({ lastOrganizationId: organizationId })
          .where(and(eq(user.id, actor.actorId), isJoined)),
      }),
      after: {
        invitations: selectInvitation(db, id, now),
        members: db
          .select()
          .from(member)
          .where(and(eq(member.organizationId, organizationId), eq(member.userId, actor.actorId))),
      },
    });
    const [found] = answer.invitations;
    const [joined] = answer.members;
    if (answer.spent.meta.changes > 0 && found && joined) {
      return { ok: true, invitation: found, member: joined };
    }
    if (found?.memberId && !findAnswerRefusal(found, own, now)) {
      return acceptOffer(db, actor, { found, own });
    }
    return explain(found, own, now);
  });
}

/**
 * Accepts an offer of ownership, in one batch with its event: the member becomes an owner and, when ownership is handed
 * over, the owner who offered it an admin.
 */
async function acceptOffer(
  db: Db,
  actor: Actor,
  { found, own }: { found: ReceivedInvitation; own: Own },
): Promise<Accepted | Refusal> {
  const { id, organizationId, handsOver, inviterId } = found;
  const now = actor.source.now();
  const isOffered = and(
    eq(member.id, found.memberId ?? ""),
    eq(member.userId, actor.actorId),
    canOwn(now),
    exists(
      db
        .select({ id: invitation.id })
        .from(invitation)
        .where(and(isWaiting(id, actor), isValid(now), eq(invitation.memberId, member.id))),
    ),
  );
  const details = sql<string>`(SELECT json_object(
    'member', ${member.userId}, 'invitation', ${id}, 'ids', json_object('member', ${member.id}),
    'before', json_object('role', ${member.role}), 'after', json_object('role', 'owner')
  ) FROM ${member} WHERE ${isOffered})`;
  const action = handsOver ? "member.ownership_transferred" : "member.role_changed";
  const isInviter = and(eq(member.organizationId, organizationId), eq(member.userId, inviterId));
  const answer = await recordAndChange(db, {
    when: sql`EXISTS (SELECT 1 FROM ${member} WHERE ${isOffered})`,
    event: eventIn({ actor, key: { id: organizationId } }, action, details),
    changes: (isRecorded) => ({
      answered: db
        .update(invitation)
        .set({ status: "accepted", answeredAt: now })
        .where(and(eq(invitation.id, id), isRecorded)),
      made: db
        .update(member)
        .set({ role: "owner" })
        .where(and(eq(member.id, found.memberId ?? ""), isRecorded)),
      former: db
        .update(member)
        .set({ role: "admin" })
        .where(and(isInviter, handsOver ? undefined : sql`false`, isRecorded)),
    }),
    after: {
      invitations: selectInvitation(db, id, now),
      members: db
        .select()
        .from(member)
        .where(eq(member.id, found.memberId ?? "")),
    },
  });
  const [accepted] = answer.invitations;
  const [owner] = answer.members;
  if (answer.isChanged && accepted && owner) {
    return { ok: true, invitation: accepted, member: owner };
  }
  return explain(accepted, own, now);
}

/** Declines an invitation. Errors: those of `findAnswerRefusal`. */
export async function declineInvitation(
  db: Db,
  actor: Actor,
  { id, own }: { id: string; own: Own },
): Promise<{ ok: true; invitation: ReceivedInvitation } | Refusal> {
  const now = actor.source.now();
  const organizationId = sql<string>`(SELECT ${invitation.organizationId} FROM ${invitation} WHERE ${invitation.id} = ${id})`;
  const {
    isChanged,
    invitations: [found],
  } = await changeAndRecord(db, {
    change: db
      .update(invitation)
      .set({ status: "rejected", answeredAt: now })
      .where(isWaiting(id, actor)),
    event: eventIn({ actor, key: organizationId }, "invitation.declined", {
      member: actor.actorId,
      invitation: id,
    }),
    after: { invitations: selectInvitation(db, id, now) },
  });
  if (isChanged && found) return { ok: true, invitation: found };
  return explain(found, own, now);
}

function explain(found: ReceivedInvitation | undefined, own: Own, now: Date): Refusal {
  const refusal = findAnswerRefusal(found, own, now);
  if (refusal) return refusal;
  if (found?.isClosed) return refuse("ORGANIZATION_DISABLED");
  return refuse("INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION");
}
