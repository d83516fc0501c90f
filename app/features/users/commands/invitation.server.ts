import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { recordAndChange } from "../../../db/change.server.ts";
import { auditEvent, user } from "../../../db/schema/schema.ts";
import { loginLink } from "../../../values/login-link.ts";
import { DAY_MS } from "../../../values/time.ts";
import type { Actor } from "../../audit/audit.server.ts";
import { findUser } from "../list/user-queries.server.ts";
import { prepareUserMail, type UserServices } from "./user-mail.server.ts";
import { type Result, userEvent } from "./user-record.server.ts";

const RESEND_SECONDS = 60;
/** The first invitation, sent when the user is created, counts too. */
const MOST_A_DAY = 5;

/**
 * Sends the invitation again to a user who never signed in. The statement that writes the audit event also checks the
 * limits, so two simultaneous requests send one mail. Errors: `not_found`, `signed_in`, `invited_recently` within a
 * minute, `invited_often` from the sixth mail in 24 hours on.
 */
export async function inviteAgain(
  services: UserServices,
  actor: Actor,
  id: string,
): Promise<Result> {
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
  const invitations = and(
    eq(auditEvent.targetId, id),
    inArray(auditEvent.action, ["user.created", "user.invited"]),
  );
  const since = (ms: number) => sql`${auditEvent.createdAt} > ${now.getTime() - ms}`;
  const invitedSince = (ms: number) =>
    sql`(SELECT count(*) FROM ${auditEvent} WHERE ${and(invitations, since(ms))})`;
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
        .select({ createdAt: auditEvent.createdAt })
        .from(auditEvent)
        .where(invitations)
        .orderBy(desc(auditEvent.createdAt))
        .limit(1),
    },
  });
  mail.deliver(rows);
  if (isChanged) return { ok: true, id };
  const [row] = users;
  if (!row) return { ok: false, error: "not_found" };
  if (row.lastSeenAt) return { ok: false, error: "signed_in" };
  const lastAt = last[0]?.createdAt.getTime() ?? 0;
  const isRecent = now.getTime() - lastAt < RESEND_SECONDS * 1_000;
  return { ok: false, error: isRecent ? "invited_recently" : "invited_often" };
}
