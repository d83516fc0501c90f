import { desc, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { mailOutbox, user } from "../../db/schema/schema.ts";

/** Statement that selects the newest mails to a user's e-mail, without their content, for a batch. */
export function selectMailsTo(db: Db, userId: string, limit: number) {
  return db
    .select({
      id: mailOutbox.id,
      kind: mailOutbox.kind,
      state: mailOutbox.state,
      lastError: mailOutbox.lastError,
      delivery: mailOutbox.delivery,
      providerId: mailOutbox.providerId,
      deliveryReason: mailOutbox.deliveryReason,
      createdAt: mailOutbox.createdAt,
    })
    .from(mailOutbox)
    .where(
      sql`${mailOutbox.recipient} = (SELECT ${user.email} FROM ${user} WHERE ${user.id} = ${userId})`,
    )
    .orderBy(desc(mailOutbox.createdAt), desc(mailOutbox.id))
    .limit(limit);
}
