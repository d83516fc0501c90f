import { and, eq, isNull } from "drizzle-orm";
import { changeAndRecord } from "../../../db/change.server.ts";
import type { Db } from "../../../db/db.server.ts";
import { refusingMailbox, user } from "../../../db/schema/schema.ts";
import type { Actor } from "../../audit/audit.server.ts";
import type { UserServices } from "./user-mail.server.ts";
import { attempt, type Result, selectId, userEvent } from "./user-record.server.ts";

/** Statement that selects since when a user's mailbox refuses mail, and why, for a batch. */
export function selectRefusal(db: Db, id: string) {
  const { reason, note, since } = refusingMailbox;
  return db.select({ reason, note, since }).from(refusingMailbox).where(isRefusalOf(db, id));
}

/**
 * Allows mail to a user's mailbox again. After the answer the provider is asked to take the mailbox off its suppression
 * list, because it would drop the next mail otherwise. Errors: `not_refusing`, `not_found`.
 */
export async function allowMail(
  { db, mailer, afterAnswer }: UserServices,
  actor: Actor,
  id: string,
): Promise<Result> {
  return attempt(id, async () => {
    const { changed, found } = await changeAndRecord(db, {
      change: db
        .update(refusingMailbox)
        .set({ allowedAt: actor.source.now() })
        .where(isRefusalOf(db, id))
        .returning({ email: refusingMailbox.email }),
      event: userEvent(actor, "user.mail_allowed", id, {}),
      after: { found: selectId(db, id) },
    });
    for (const { email } of changed) afterAnswer(() => mailer.unsuppress(email));
    return changed.length > 0 || (found.length > 0 ? "not_refusing" : "not_found");
  });
}

function isRefusalOf(db: Db, id: string) {
  const email = db.select({ email: user.email }).from(user).where(eq(user.id, id));
  return and(isNull(refusingMailbox.allowedAt), eq(refusingMailbox.email, email));
}
