import type { SQLWrapper } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "../../../db/db.server.ts";
import type { Language } from "../../../i18n/languages.ts";
import type { Plan } from "../../../values/platform-limits.ts";
import { DAY_MS } from "../../../values/time.ts";
import type { UncountedMessage } from "../../mail/mail-message.ts";
import type { Mailer } from "../../mail/outbox.server.ts";

const MAIL_DAYS = 7;

/** Services for a change of a user that also sends mail. */
export type UserServices = {
  db: Db;
  mailer: Pick<Mailer, "prepare" | "unsuppress">;
  baseUrl: string;
  plan: Plan;
  /** People who become admins by their e-mail alone. */
  adminEmails: readonly string[];
  /** The manager's name, for invitation mails. */
  sender: string;
  /** The manager's language, for recipients without a saved language. */
  language: Language;
  timeZone: string | undefined;
  /** True when the rules of who may come in accept a user's new e-mail. */
  acceptsEmail: (email: string) => Promise<boolean>;
  /** Returns the statements that erase what the database knows of users, for the batch that deletes their rows. */
  prepareErasure: (
    accounts: readonly { id: string; email: string }[],
    now: Date,
  ) => Promise<readonly BatchItem<"sqlite">[]>;
  /** Returns the statements that end what features have opened to a user beside sessions, if a condition holds. */
  endAccess: (userId: string, when: SQLWrapper) => readonly BatchItem<"sqlite">[];
  /** Deletes the file of a user's picture. */
  deletePicture: (file: string) => Promise<unknown>;
  /** Starts work after the answer is sent. */
  afterAnswer: (work: () => Promise<unknown>) => void;
};

/**
 * Prepares a mail for a batch. `statement` writes the mail's row, `ifChanged` only with a change;
 * `deliver` sends that row after the answer is sent.
 */
export async function prepareUserMail(
  { mailer, language, afterAnswer }: UserServices,
  now: Date,
  recipient: string,
  message: UncountedMessage,
) {
  const expiresAt = new Date(now.getTime() + MAIL_DAYS * DAY_MS);
  const mail = { recipient, language, expiresAt, message };
  const { statement, ifChanged, send } = await mailer.prepare(mail, now);
  const deliver = (rows: Parameters<typeof send>[0]) => afterAnswer(() => send(rows));
  return { statement, ifChanged, deliver };
}
