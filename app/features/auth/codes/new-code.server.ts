import { type SQL, sql } from "drizzle-orm";
import type { Changed } from "../../../db/change.server.ts";
import type { Db } from "../../../db/db.server.ts";
import { rowValues } from "../../../db/row-values.ts";
import { accountCode } from "../../../db/schema/schema.ts";
import type { Language } from "../../../i18n/languages.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import type { Networks } from "../../../values/client-network.ts";
import type { CodePurpose } from "../../mail/mail-message.ts";
import type { Occasion } from "../../mail/occasion.ts";
import type { Mailer } from "../../mail/outbox.server.ts";
import { CODE_LENGTH, CODE_TTL_MINUTES } from "./code.ts";

type NewCode = {
  purpose: CodePurpose;
  email: string;
  newEmail?: string;
  /** The e-mail that was confirmed before this one, and when. */
  proved?: { email: string; at: Date };
  code: string;
  sentAt: Date;
  expiresAt: Date;
};

/** Prepares the row of a new code: the statement that writes it, and the SQL condition that it was written. */
export async function prepareRow(
  { db, keys }: { db: Db; keys: Keys },
  { userId, sessionId }: { userId: string; sessionId: string },
  { purpose, email, newEmail, proved, code, sentAt, expiresAt }: NewCode,
) {
  const codeHash = await keys.mac("account-code", boundTo(userId, purpose, email, code));
  const row = {
    sessionId,
    email,
    newEmail: newEmail ?? null,
    provedEmail: proved?.email ?? null,
    provedAt: proved?.at ?? null,
    codeHash,
    tries: 0,
    sentAt,
    expiresAt,
  };
  const values = rowValues(accountCode, { userId, purpose, ...row });
  const write = (isSpent?: Changed) =>
    db
      .insert(accountCode)
      .select(sql`SELECT ${values} WHERE ${isSpent ?? sql`true`}`)
      .onConflictDoUpdate({ target: [accountCode.userId, accountCode.purpose], set: row });
  const isWritten = sql`EXISTS (SELECT 1 FROM ${accountCode} WHERE ${accountCode.userId} = ${userId} AND ${accountCode.codeHash} = ${codeHash})`;
  return { write, isWritten };
}

/**
 * Prepares the mail with the code, and the warning to the owner of an e-mail that already has an
 * account. The warning is always prepared, so that the duration reveals nothing; it is sent only
 * when the e-mail already has an account.
 */
export async function prepareMails(
  { mailer }: { mailer: Pick<Mailer, "prepare"> },
  { language, request, networks }: { language: Language; request: Occasion; networks: Networks },
  { purpose, email, code, sentAt, expiresAt }: NewCode,
  isWritten: SQL,
) {
  const envelope = { recipient: email, language, expiresAt };
  const message = {
    kind: "account-code",
    code,
    purpose,
    validMinutes: CODE_TTL_MINUTES,
    request,
  } as const;
  const isForNewEmail = purpose === "email-new";
  const withCode = await mailer.prepare(
    { ...envelope, message },
    sentAt,
    isForNewEmail ? "no-account" : "anyone",
    isWritten,
    { isTrusted: sql`true`, networks },
  );
  const warning = await mailer.prepare(
    { ...envelope, message: { kind: "email-taken" } },
    sentAt,
    "account",
    isForNewEmail ? isWritten : sql`false`,
  );
  return { withCode, warning };
}

/** Returns the input of a code's hash: the same digits for another user, purpose or e-mail have another hash. */
export function boundTo(userId: string, purpose: CodePurpose, email: string, code: string): string {
  return [userId, purpose, email, code].join("\n");
}

/** Returns six digits, all equally likely. */
export function randomCode(): string {
  const range = 10 ** CODE_LENGTH;
  const limit = Math.floor(2 ** 32 / range) * range;
  let value: number;
  do {
    value = crypto.getRandomValues(new Uint32Array(1))[0] ?? limit;
  } while (value >= limit);
  return String(value % range).padStart(CODE_LENGTH, "0");
}
