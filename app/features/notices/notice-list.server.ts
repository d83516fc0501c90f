import { and, desc, eq, isNotNull, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "../../db/db.server.ts";
import { invitation, member, organization, user } from "../../db/schema/schema.ts";
import { isWaiting } from "../../db/waiting-invitation.ts";
import { ORGANIZATION_GRACE_DAYS } from "../../values/limits.ts";
import { DAY_MS } from "../../values/time.ts";
import { describeDevice } from "../../values/user-agent.server.ts";
import type { CurrentSession } from "../auth/sessions/sessions.server.ts";
import type { Notice } from "./notices.ts";
import { isNewSignIn, otherSession, readAt } from "./unread-count.server.ts";

/** Of invitations and of sign-ins, each. */
const MOST_SHOWN = 50;

/** Returns what needs the user's attention now, newest first, in one round trip. */
export async function listNotices(db: Db, current: CurrentSession, now: Date): Promise<Notice[]> {
  const { id: userId } = current.user;
  const [[person], invitations, organizations, signIns] = await db.batch([
    db.select({ readAt }).from(user).where(eq(user.id, userId)),
    selectInvitations(db, userId, now),
    selectOrganizations(db, userId),
    selectSignIns(db, current, now),
  ]);
  const datedAt = (at: Date) => ({ at, isUnread: at.getTime() > (person?.readAt ?? 0) });
  const notices: Notice[] = [
    ...invitations.map(({ id, at, ...known }): Notice => {
      return { kind: "invitation", key: id, id, ...datedAt(at), ...known };
    }),
    ...organizations.flatMap(({ id, disabledAt, disabledReason, deletionDueAt, ...known }) => {
      const stopped: Notice[] = [];
      if (deletionDueAt) {
        const at = datedAt(new Date(deletionDueAt.getTime() - ORGANIZATION_GRACE_DAYS * DAY_MS));
        stopped.push({ kind: "deletion", key: `${id}-d`, dueAt: deletionDueAt, ...at, ...known });
      }
      if (disabledAt) {
        const at = datedAt(disabledAt);
        stopped.push({ kind: "disabled", key: `${id}-s`, reason: disabledReason, ...at, ...known });
      }
      return stopped;
    }),
    ...signIns.map(({ id, userAgent, place, at }): Notice => {
      return { kind: "sign-in", key: id, device: describeDevice(userAgent), place, ...datedAt(at) };
    }),
  ];
  return notices.sort((one, other) => other.at.getTime() - one.at.getTime());
}

function selectInvitations(db: Db, userId: string, now: Date) {
  const inviter = alias(user, "inviter");
  return db
    .select({
      id: sql<string>`${invitation.id}`.as("invitation_id"),
      at: invitation.createdAt,
      expiresAt: invitation.expiresAt,
      organization: sql<string>`${organization.name}`.as("organization"),
      inviter: sql<string>`${inviter.name}`.as("inviter"),
    })
    .from(user)
    .innerJoin(invitation, isWaiting(user.email, now))
    .innerJoin(organization, eq(organization.id, invitation.organizationId))
    .innerJoin(inviter, eq(inviter.id, invitation.inviterId))
    .where(eq(user.id, userId))
    .orderBy(desc(invitation.createdAt))
    .limit(MOST_SHOWN);
}

/** Selects the user's organizations in which nothing can be changed. */
function selectOrganizations(db: Db, userId: string) {
  return db
    .select({
      id: organization.id,
      organization: organization.name,
      slug: organization.slug,
      disabledAt: organization.disabledAt,
      disabledReason: organization.disabledReason,
      deletionDueAt: organization.deletionDueAt,
    })
    .from(member)
    .innerJoin(organization, eq(organization.id, member.organizationId))
    .where(
      and(
        eq(member.userId, userId),
        or(isNotNull(organization.disabledAt), isNotNull(organization.deletionDueAt)),
      ),
    );
}

function selectSignIns(db: Db, { user: { id: userId }, session }: CurrentSession, now: Date) {
  return db
    .select({
      id: otherSession.id,
      userAgent: otherSession.userAgent,
      place: otherSession.place,
      at: otherSession.createdAt,
    })
    .from(user)
    .innerJoin(otherSession, isNewSignIn(sql`${session.id}`, now))
    .where(eq(user.id, userId))
    .orderBy(desc(otherSession.createdAt))
    .limit(MOST_SHOWN);
}

/** Marks the notices until a moment as read. A later reading is kept. */
export async function markNoticesRead(db: Db, userId: string, until: Date): Promise<void> {
  await db
    .update(user)
    .set({ noticesReadAt: sql`max(${readAt}, ${until.getTime()})` })
    .where(eq(user.id, userId));
}
