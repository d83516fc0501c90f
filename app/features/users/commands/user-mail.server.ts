import type { SQL, SQLWrapper } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "../../../db/db.server.ts";
import type { Language } from "../../../i18n/languages.ts";
import type { Plan } from "../../../values/platform-limits.ts";
import { DAY_MS } from "../../../values/time.ts";
import { rolesOf } from "../../access/permissions.ts";
import type { UncountedMessage } from "../../mail/mail-message.ts";
import type { Mailer } from "../../mail/outbox.server.ts";

const MAIL_DAYS = 7;

/** Services for a change of a user that also sends mail. */
export type UserServices = {
  db: Db;
  mailer: Pick<Mailer, "prepare" | "prepareForUsers" | "unsuppress">;
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

/** Returns the mail that tells a user which roles they have now. */
export function rolesMail(
  { sender, baseUrl }: Pick<UserServices, "sender" | "baseUrl">,
  role: string,
) {
  // The link has no e-mail in it, so that one mail fits all recipients.
  const link = new URL("/login", baseUrl).href;
  return { kind: "roles-changed", by: sender, roles: rolesOf({ role }), link } as const;
}

/** Prepares a mail to each user that a condition finds; see `prepareForUsers`. */
export async function prepareUsersMail(
  { mailer, language, afterAnswer }: UserServices,
  now: Date,
  which: SQL,
  message: UncountedMessage,
) {
  const expiresAt = new Date(now.getTime() + MAIL_DAYS * DAY_MS);
  const mail = { language, expiresAt, message };
  const { statement, send } = await mailer.prepareForUsers(mail, which, now);
  return {
    statement,
    deliver: (rows: Parameters<typeof send>[0]) => afterAnswer(() => send(rows)),
  };
}

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
