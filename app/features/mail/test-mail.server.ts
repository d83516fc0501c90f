import { desc } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { isOfKind } from "../../db/mail-criteria.ts";
import { mailOutbox } from "../../db/schema/schema.ts";
import type { Language } from "../../i18n/languages.ts";
import { HOUR_MS } from "../../values/time.ts";
import type { Mailer } from "./outbox.server.ts";

/** Hours after which a test mail that could not be sent is dropped. */
const VALID_HOURS = 1;

/** The newest mail that a manager sent to themselves as a test, as the mail log has it. */
export function selectTestMail(db: Db) {
  const { id, state, delivery, createdAt } = mailOutbox;
  return db
    .select({ id, state, delivery, createdAt })
    .from(mailOutbox)
    .where(isOfKind("test-mail"))
    .orderBy(desc(createdAt))
    .limit(1);
}

type Asked = { recipient: string; language: Language; link: string };

/**
 * Queues a test mail to a manager. Returns the work that sends it after the answer; undefined when
 * the day's test mails to this mailbox are used up.
 */
export async function queueTestMail(
  mailer: Pick<Mailer, "prepare">,
  { recipient, language, link }: Asked,
  now: Date,
): Promise<(() => Promise<unknown>) | undefined> {
  const expiresAt = new Date(now.getTime() + VALID_HOURS * HOUR_MS);
  const message = { kind: "test-mail" as const, link };
  const { statement, send } = await mailer.prepare(
    { recipient, language, expiresAt, message },
    now,
  );
  const written = await statement;
  return written.length > 0 ? () => send(written) : undefined;
}
