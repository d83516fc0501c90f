import { and, eq, gt, sql } from "drizzle-orm";
import { recordAndChange } from "../../../db/change.server.ts";
import { auditEvent, mailOutbox, user } from "../../../db/schema/schema.ts";
import { loginLink } from "../../../values/login-link.ts";
import { rowsAtOnce } from "../../../values/platform-limits.ts";
import { DAY_MS } from "../../../values/time.ts";
import type { Actor } from "../../audit/audit.server.ts";
import { findUser } from "../list/user-queries.server.ts";
import type { Results } from "./user-commands.server.ts";
import { prepareUserMail, type UserServices } from "./user-mail.server.ts";
import { type Result, type UserRefusal, userEvent } from "./user-record.server.ts";

const RESEND_SECONDS = 60;
/** The first invitation, sent when the user is created, counts too. */
const MOST_A_DAY = 5;

/** Statements of `inviteUser`. */
const STATEMENTS_OF_AN_INVITATION = 6;

/**
 * Invites users who never signed in. Errors: as `inviteUser`, and `too_many` beyond a request's
 * limit.
 */
export async function inviteUsers(
  services: UserServices,
  actor: Actor,
  ids: readonly string[],
): Promise<Results> {
  const most = rowsAtOnce(services.plan, STATEMENTS_OF_AN_INVITATION);
  const results = await Promise.all(
    ids.map(async (id, index): Promise<[string, UserRefusal | undefined]> => {
      if (index >= most) return [id, "too_many"];
      const result = await inviteUser(services, actor, id);
      return [id, result.ok ? undefined : result.error];
    }),
  );
  return new Map(results);
}

/**
 * Sends an invitation to a user who never signed in, the first one or another. The statement that
 * writes the audit event also checks the limits, so two simultaneous requests send one mail.
 * Errors: `not_found`, `signed_in`, `invited_recently` within a minute, `invited_often` from the
 * sixth mail in 24 hours on.
 */
async function inviteUser(services: UserServices, actor: Actor, id: string): Promise<Result> {
  const { db, baseUrl, sender } = services;
  const found = await findUser(db, id);
  if (!found) return { ok: false, error: "not_found" };
  const now = actor.source.now();
  const { email } = found;
  const mail = await prepareUserMail(services, now, email, {
    kind: "user-added",
    inviter: sender,
    link: loginLink(baseUrl, email),
  });
  // Later invitations have an audit event, even if no mail is written, as to a mailbox that refuses
  // mail. The first has only its mail.
  const events = and(eq(auditEvent.targetId, id), eq(auditEvent.action, "user.invited"));
  const mails = and(eq(mailOutbox.recipient, email), eq(mailOutbox.kind, "user-added"));
  const invitedSince = (ms: number) => {
    const start = new Date(now.getTime() - ms);
    return sql`max(
      (SELECT count(*) FROM ${auditEvent} WHERE ${and(events, gt(auditEvent.createdAt, start))}),
      (SELECT count(*) FROM ${mailOutbox} WHERE ${and(mails, gt(mailOutbox.createdAt, start))})
    )`;
  };
  const isOpen = and(
    sql`EXISTS (SELECT 1 FROM ${user} WHERE ${user.id} = ${id} AND ${user.email} = ${email} AND ${user.lastSeenAt} IS NULL)`,
    sql`${invitedSince(RESEND_SECONDS * 1_000)} = 0`,
    sql`${invitedSince(DAY_MS)} < ${MOST_A_DAY}`,
  );
  const { isChanged, rows, users, last } = await recordAndChange(db, {
    when: sql`${isOpen}`,
    event: userEvent(actor, "user.invited", id),
    changes: (isInvited) => ({ rows: mail.ifChanged(isInvited) }),
    after: {
      users: db.select({ lastSeenAt: user.lastSeenAt }).from(user).where(eq(user.id, id)),
      last: db
        .select({ isRecent: sql<number>`${invitedSince(RESEND_SECONDS * 1_000)} > 0` })
        .from(user)
        .where(eq(user.id, id)),
    },
  });
  mail.deliver(rows);
  if (isChanged) return { ok: true, id };
  const [row] = users;
  if (!row) return { ok: false, error: "not_found" };
  if (row.lastSeenAt) return { ok: false, error: "signed_in" };
  return { ok: false, error: last[0]?.isRecent ? "invited_recently" : "invited_often" };
}
