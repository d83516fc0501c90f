import { and, desc, eq, sql } from "drizzle-orm";
import { insertEvent, recordAndChange } from "../../../db/change.server.ts";
import type { Db } from "../../../db/db.server.ts";
import { account, auditEvent, passkey, session, user } from "../../../db/schema/schema.ts";
import { loginLink } from "../../../values/login-link.ts";
import type { Actor } from "../../audit/audit.server.ts";
import { describeAct, selectNewestAct } from "../../audit/manager-act.server.ts";
import { prepareUserMail, type UserServices } from "../commands/user-mail.server.ts";
import { type Result, userEvent } from "../commands/user-record.server.ts";
import { findUser } from "../list/user-queries.server.ts";

/**
 * Selects the newest audit event about sign-in methods that outlived a manager's change of the e-mail: the change
 * itself, or the decision to remove or keep them.
 */
export function selectMethodsQuestion(db: Db, id: string) {
  return selectNewestAct(db, isAboutMethods(id));
}

/** Returns the event of an e-mail change; undefined once it is decided what becomes of the methods. */
export function describeMethodsQuestion(
  row: Awaited<ReturnType<typeof selectMethodsQuestion>>[number] | undefined,
) {
  return row?.action === "user.updated" ? { id: row.id, act: describeAct(row) } : undefined;
}

function isAboutMethods(id: string) {
  return and(
    eq(auditEvent.targetId, id),
    sql`(${auditEvent.action} IN ('user.methods_removed', 'user.methods_kept')
      OR ${auditEvent.action} = 'user.updated' AND json_extract(${auditEvent.details}, '$.signInMethods') > 0)`,
  );
}

/**
 * Removes all passkeys and linked accounts of a user, ends the user's sessions, API keys and trusted devices, and sends
 * a mail, in one batch. The one-time code by e-mail still works. Errors: `not_found`, `yourself`, `no_methods` when
 * there are none.
 */
export async function removeSignInMethods(
  services: UserServices,
  actor: Actor,
  id: string,
): Promise<Result> {
  const { db, baseUrl } = services;
  const found = await findUser(db, id);
  if (!found) return { ok: false, error: "not_found" };
  // A thief of a mailbox would otherwise make room for a passkey of their own. People in
  // ADMIN_EMAILS have no one to ask.
  const isSelf = id === actor.actorId;
  if (isSelf && !services.adminEmails.includes(found.email))
    return { ok: false, error: "yourself" };
  const methods = methodsOf(id);
  const mail = await prepareUserMail(services, actor.source.now(), found.email, {
    kind: "methods-removed",
    link: loginLink(baseUrl, found.email),
  });
  const { isChanged, rows } = await recordAndChange(db, {
    when: methods.exist,
    event: userEvent(actor, "user.methods_removed", id, methods.details),
    changes: (isRecorded) => ({
      rows: mail.ifChanged(isRecorded),
      sessions: db.delete(session).where(and(eq(session.userId, id), isRecorded)),
      passkeys: db.delete(passkey).where(and(eq(passkey.userId, id), isRecorded)),
      accounts: db.delete(account).where(and(eq(account.userId, id), isRecorded)),
      ofFeatures: services.endAccess(id, isRecorded),
      devices: db
        .update(user)
        .set({ devicesSince: actor.source.now() })
        .where(and(eq(user.id, id), isRecorded)),
    }),
  });
  mail.deliver(rows);
  return isChanged ? { ok: true, id } : { ok: false, error: "no_methods" };
}

/**
 * Records that a user's sign-in methods stay after a manager's change of the e-mail, so that the user's screen asks no
 * more. `question` is the id of the change's event: a page that is older than the newest change decides nothing.
 * Errors: `not_found`, `no_methods` when there are none, `nothing_to_keep` when the decision is made, `newer_change`
 * when the e-mail was changed again.
 */
export async function keepSignInMethods(
  { db }: UserServices,
  actor: Actor,
  id: string,
  { question }: { question: string },
): Promise<Result> {
  const methods = methodsOf(id);
  const open = db
    .select({ id: sql`iif(${auditEvent.action} = 'user.updated', ${auditEvent.id}, NULL)` })
    .from(auditEvent)
    .where(isAboutMethods(id))
    .orderBy(desc(auditEvent.createdAt), desc(auditEvent.id))
    .limit(1);
  const [kept, [state]] = await db.batch([
    insertEvent(
      db,
      userEvent(actor, "user.methods_kept", id, methods.details),
      sql`(${methods.exist}) AND ${open} = ${question}`,
    ),
    db
      .select({
        hasMethods: sql`${methods.exist}`.mapWith(Boolean),
        isOpen: sql`${open} IS NOT NULL`.mapWith(Boolean),
      })
      .from(user)
      .where(eq(user.id, id)),
  ]);
  if (!state) return { ok: false, error: "not_found" };
  if (kept.meta.changes > 0) return { ok: true, id };
  if (!state.hasMethods) return { ok: false, error: "no_methods" };
  return { ok: false, error: state.isOpen ? "newer_change" : "nothing_to_keep" };
}

/** SQL about a user's passkeys and linked accounts: whether there are any, and the details of an audit event. */
function methodsOf(id: string) {
  const passkeys = sql`FROM ${passkey} WHERE ${passkey.userId} = ${id}`;
  const accounts = sql`FROM ${account} WHERE ${account.userId} = ${id}`;
  return {
    exist: sql`EXISTS (SELECT 1 ${passkeys}) OR EXISTS (SELECT 1 ${accounts})`,
    details: sql<string>`(SELECT json_object(
      'passkeys', (SELECT count(*) ${passkeys}),
      'provider', (SELECT group_concat(${account.providerId}, ', ') ${accounts})
    ))`,
  };
}
