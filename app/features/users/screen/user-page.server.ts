import { and, desc, eq, gt, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { isBannedAt } from "../../../db/ban.ts";
import type { Db } from "../../../db/db.server.ts";
import {
  account,
  auditEvent,
  member,
  organization,
  passkey,
  session,
  siteSetting,
  user,
} from "../../../db/schema/schema.ts";
import { PASSKEY_GRACE_DAYS } from "../../../values/limits.ts";
import { DAY_MS } from "../../../values/time.ts";
import { describeDevice } from "../../../values/user-agent.server.ts";
import { can, rolesOf } from "../../access/permissions.ts";
import { describeEvent, selectNewestEvents } from "../../audit/audit-log.server.ts";
import { describeAct, selectNewestAct } from "../../audit/manager-act.server.ts";
import { selectRefusal } from "../commands/user-mailbox.server.ts";
import { shownStatusOf } from "../list/user-queries.server.ts";
import { describeMethodsQuestion, selectMethodsQuestion } from "./user-sign-in-methods.server.ts";
import type { EventSide, UserTab } from "./user-tabs.ts";

/** Events and mails that a tab shows; their logs show all. */
export const SHOWN_ROWS = 20;
const SHOWN_SESSIONS = 50;

type Shown<Mails> = {
  /** Statements of the features' panels. */
  panels: readonly BatchItem<"sqlite">[];
  tab: UserTab | undefined;
  side: EventSide;
  mails: Mails;
  now: Date;
};

/**
 * Loads a user with everything that a tab of the user's screen shows, in one round trip. `methods.question` is
 * there when passkeys or linked accounts are left from before a manager changed the e-mail, until it is decided. `ban`
 * is there when the event of a present ban is.
 */
export async function findUserDetail<Mails extends BatchItem<"sqlite">>(
  db: Db,
  id: string,
  { tab, side, mails: selectMails, panels, now }: Shown<Mails>,
) {
  const party = side === "by" ? { actor: id } : { target: id };
  const [
    users,
    accounts,
    passkeys,
    questions,
    organizations,
    sessions,
    events,
    mails,
    refusals,
    bans,
    [rule],
    ...panelRows
  ] = await db.batch([
    db.select().from(user).where(eq(user.id, id)),
    db
      .select({ id: account.id, provider: account.providerId, email: account.email })
      .from(account)
      .where(eq(account.userId, id)),
    db
      .select({ id: passkey.id, name: passkey.name, createdAt: passkey.createdAt })
      .from(passkey)
      .where(eq(passkey.userId, id)),
    selectMethodsQuestion(db, id),
    db
      .select({ id: organization.id, name: organization.name, role: member.role })
      .from(member)
      .innerJoin(organization, eq(organization.id, member.organizationId))
      .where(eq(member.userId, id)),
    selectSessions(db, id, now, tab === "sessions" ? SHOWN_SESSIONS : 0),
    selectNewestEvents(db, tab === "activity" ? SHOWN_ROWS : 0, party),
    selectMails,
    selectRefusal(db, id),
    selectBan(db, id, now),
    db
      .select({ since: siteSetting.managerPasskeysSince })
      .from(siteSetting)
      .where(eq(siteSetting.id, 1)),
    ...panels,
  ]);
  const [row] = users;
  const [ban] = bans;
  const hasMethods = accounts.length + passkeys.length > 0;
  const question = hasMethods ? describeMethodsQuestion(questions[0]) : undefined;
  const methods = { accounts, passkeys, question };
  return (
    row && {
      user: describeUser(row, now),
      methods,
      organizations,
      sessions,
      mails,
      panelRows,
      events: events.map((event) => ({
        ...describeEvent(event),
        device: describeDevice(event.userAgent),
      })),
      refusal: refusals[0],
      release: passkeys.length === 0 ? releaseOf(row, rule?.since ?? null, now) : undefined,
      ban: ban && describeAct(ban),
    }
  );
}

/**
 * Returns until when a manager without a passkey may add one: null when an admin must let them
 * first. Undefined when the back-office is open to the user without it, or closed anyway.
 */
function releaseOf(row: typeof user.$inferSelect, since: Date | null, now: Date) {
  if (!since || !can(row, "apps", "manager")) return undefined;
  if (now < new Date(since.getTime() + PASSKEY_GRACE_DAYS * DAY_MS)) return undefined;
  const until = row.passkeyReleaseUntil;
  return { until: until && until > now ? until : null };
}

function describeUser(row: typeof user.$inferSelect, now: Date) {
  const { id, name, email, emailVerified, language, avatar, invitation } = row;
  const { createdAt, lastSeenAt, onboardedAt, banReason, banExpires, deletionDueAt } = row;
  return {
    id,
    name,
    email,
    emailVerified,
    language,
    avatar,
    invitation,
    createdAt,
    lastSeenAt,
    onboardedAt,
    banReason,
    banExpires,
    deletionDueAt,
    roles: rolesOf(row),
    status: shownStatusOf(row, now),
  };
}

/** Selects the newest ban of a user who is banned now. Reads no events of other users, who may have thousands. */
function selectBan(db: Db, id: string, now: Date) {
  const banned = sql`(SELECT ${user.id} FROM ${user} WHERE ${user.id} = ${id} AND ${isBannedAt(now)})`;
  return selectNewestAct(
    db,
    and(eq(auditEvent.targetId, banned), eq(auditEvent.action, "user.banned")),
  );
}

function selectSessions(db: Db, userId: string, now: Date, limit: number) {
  return db
    .select({
      id: session.id,
      userAgent: session.userAgent,
      place: session.place,
      ipAddress: session.ipAddress,
      isImpersonated: sql<number>`${session.impersonatedBy} IS NOT NULL`
        .mapWith(Boolean)
        .as("is_impersonated"),
      createdAt: session.createdAt,
      lastSeenAt: session.lastSeenAt,
    })
    .from(session)
    .where(and(eq(session.userId, userId), gt(session.expiresAt, now)))
    .orderBy(desc(session.createdAt))
    .limit(limit);
}
