import { and, desc, eq, sql } from "drizzle-orm";
import { CHANGED } from "../../db/changed-rows.ts";
import type { Db } from "../../db/db.server.ts";
import { account, auditEvent, passkey, session } from "../../db/schema/schema.ts";
import { type Actor, auditBefore } from "../audit/audit.server.ts";
import { loginLink, prepareUserMail, type UserServices } from "./user-mail.server.ts";
import { findUser } from "./user-queries.server.ts";
import { entry, type Result } from "./user-record.server.ts";

/**
 * Selects the newest audit event about sign-in methods that outlived a manager's change of the e-mail: the change
 * itself or their removal. `isOpen` is true when they have not been removed since.
 */
export function selectMethodsQuestion(db: Db, id: string) {
  return db
    .select({ isOpen: sql<number>`${auditEvent.action} = 'user.updated'`.mapWith(Boolean) })
    .from(auditEvent)
    .where(
      and(
        eq(auditEvent.targetId, id),
        sql`(${auditEvent.action} = 'user.methods_removed'
          OR ${auditEvent.action} = 'user.updated' AND json_extract(${auditEvent.details}, '$.signInMethods') > 0)`,
      ),
    )
    .orderBy(desc(auditEvent.createdAt), desc(auditEvent.id))
    .limit(1);
}

/**
 * Removes all passkeys and linked accounts of a user, ends the user's sessions and sends a mail, in one batch. The
 * one-time code by e-mail still works. Errors: `not_found`, `no_methods` when there are none.
 */
export async function removeSignInMethods(
  services: UserServices,
  actor: Actor,
  id: string,
): Promise<Result> {
  const { db, baseUrl } = services;
  const found = await findUser(db, id);
  if (!found) return { ok: false, error: "not_found" };
  const ofUser = {
    passkeys: sql`FROM ${passkey} WHERE ${passkey.userId} = ${id}`,
    accounts: sql`FROM ${account} WHERE ${account.userId} = ${id}`,
  };
  const mail = await prepareUserMail(services, actor.source.now(), found.email, {
    kind: "methods-removed",
    link: loginLink(baseUrl, found.email),
  });
  const [, rows] = await db.batch([
    auditBefore(
      db,
      actor.source,
      {
        ...entry(actor, "user.methods_removed", id),
        details: sql`(SELECT json_object(
          'passkeys', (SELECT count(*) ${ofUser.passkeys}),
          'provider', (SELECT group_concat(${account.providerId}, ', ') ${ofUser.accounts})
        ))`,
      },
      sql`EXISTS (SELECT 1 ${ofUser.passkeys}) OR EXISTS (SELECT 1 ${ofUser.accounts})`,
    ),
    mail.statement,
    db.delete(session).where(and(eq(session.userId, id), CHANGED)),
    db.delete(passkey).where(eq(passkey.userId, id)),
    db.delete(account).where(eq(account.userId, id)),
  ]);
  mail.deliver(rows);
  return rows.length > 0 ? { ok: true, id } : { ok: false, error: "no_methods" };
}
