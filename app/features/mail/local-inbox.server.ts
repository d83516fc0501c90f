import { and, desc, eq, gt } from "drizzle-orm";
import { idsIn } from "../../db/ids-in.ts";
import { mailOutbox } from "../../db/schema/schema.ts";
import { MAIL_KINDS, type MailMessage } from "./mail-message.ts";
import { renderMail } from "./render.server.ts";
import { LOCAL_INBOX } from "./states.ts";
import { languageOf, type Outbox, readPayload } from "./stored-mail.server.ts";

/**
 * Returns the rendered mails of the local inbox, newest first, without those that only another
 * release can write. Only for an origin without a provider.
 */
export async function listLocalInbox(
  { db, keys, baseUrl, readBrand, writers }: Outbox,
  limit: number,
  now: Date,
) {
  const brand = await readBrand(now);
  const rows = await db
    .select()
    .from(mailOutbox)
    .where(and(eq(mailOutbox.providerId, LOCAL_INBOX), idsIn(mailOutbox.kind, MAIL_KINDS)))
    .orderBy(desc(mailOutbox.createdAt))
    .limit(limit);
  const readable = await Promise.all(
    rows.map(async ({ payload, ...row }) => {
      const message = payload ? await readPayload(keys, payload).catch(() => undefined) : undefined;
      const { recipient } = row;
      const language = languageOf(row);
      const reader = { recipient, language, baseUrl, brand: brand.of(language), writers };
      const code = message && "code" in message ? message.code : null;
      const link = message && "link" in message ? message.link : null;
      return message && { ...row, ...renderMail(message, reader), code, link };
    }),
  );
  return readable.filter((mail) => mail !== undefined);
}

/** Returns the last sign-in code sent to an e-mail, for a demonstration that shows it on the screen. */
export async function findSignInCode(
  { db, keys }: Outbox,
  recipient: string,
  now: Date,
): Promise<string | undefined> {
  const isSignInCode = eq(mailOutbox.kind, "login-code" satisfies MailMessage["kind"]);
  const [row] = await db
    .select({ payload: mailOutbox.payload })
    .from(mailOutbox)
    .where(and(eq(mailOutbox.recipient, recipient), isSignInCode, gt(mailOutbox.expiresAt, now)))
    .orderBy(desc(mailOutbox.createdAt))
    .limit(1);
  const message = row?.payload ? await readPayload(keys, row.payload) : undefined;
  return message?.kind === "login-code" ? message.code : undefined;
}
