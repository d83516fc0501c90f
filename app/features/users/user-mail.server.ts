import type { Db } from "../../db/db.server.ts";
import type { Language } from "../../i18n/languages.ts";
import type { MailMessage } from "../mail/message.ts";
import type { Mailer } from "../mail/outbox.server.ts";

const MAIL_DAYS = 7;
const DAY_MS = 86_400_000;

/** What a change of a user needs when it also sends mail. */
export type UserServices = {
  db: Db;
  mailer: Pick<Mailer, "prepare">;
  baseUrl: string;
  /** What the manager is called, for the mail that invites a user. */
  manager: string;
  /** The manager's language, for recipients who keep none yet. */
  language: Language;
  /** Begins work once the answer is on its way. */
  afterAnswer: (work: () => Promise<unknown>) => void;
};

/**
 * Prepares a mail for a batch. Its `statement` writes the mail's row when the statement before it changed something;
 * `deliver` sends that row once the answer is on its way.
 */
export async function prepareUserMail(
  { mailer, language, afterAnswer }: UserServices,
  now: Date,
  recipient: string,
  message: MailMessage,
) {
  const expiresAt = new Date(now.getTime() + MAIL_DAYS * DAY_MS);
  const mail = { recipient, language, expiresAt, message };
  const { statement, send } = await mailer.prepare(mail, now, "concerned");
  return {
    statement,
    deliver: (rows: Parameters<typeof send>[0]) => afterAnswer(() => send(rows)),
  };
}

/** The login page with an e-mail filled in. */
export function loginLink(baseUrl: string, email: string): string {
  return `${baseUrl}/login?${new URLSearchParams({ email })}`;
}
