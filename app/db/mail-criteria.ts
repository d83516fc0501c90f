import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { mailOutbox } from "./schema/schema.ts";

/** Mails of a lane leave before those of the next one. */
export const MAIL_LANES = { trusted: 0, codes: 1, warnings: 2, others: 3 } as const;

/** SQL condition: mails in a state. Except for "sent" it adds the condition of the partial index. */
export function isInState(state: typeof mailOutbox.$inferSelect.state): SQL | undefined {
  const isUnsent = sql`${mailOutbox.state} <> 'sent'`;
  return and(eq(mailOutbox.state, state), state === "sent" ? undefined : isUnsent);
}

/** SQL condition: mails of a kind. Except for "login-code" it adds the condition of the partial index. */
export function isOfKind(kind: string): SQL | undefined {
  const isRare = sql`${mailOutbox.kind} <> 'login-code'`;
  return and(eq(mailOutbox.kind, kind), kind === "login-code" ? undefined : isRare);
}

/** SQL condition: what became of a mail. Except for "delivered" it adds the condition of the partial index. */
export function hasDelivery(
  delivery: NonNullable<typeof mailOutbox.$inferSelect.delivery>,
): SQL | undefined {
  const isUndelivered = sql`${mailOutbox.delivery} <> 'delivered'`;
  return and(
    eq(mailOutbox.delivery, delivery),
    delivery === "delivered" ? undefined : isUndelivered,
  );
}

/** SQL condition: so many mails of a kind have not yet been written to a recipient in the limit's window. */
export function hasMailRoom(
  { max, windowMs }: { max: number; windowMs: number },
  kind: string,
  recipient: string | SQL,
  now: Date,
): SQL {
  const counted = and(
    eq(mailOutbox.recipient, recipient),
    gt(mailOutbox.createdAt, new Date(now.getTime() - windowMs)),
    eq(mailOutbox.kind, kind),
  );
  return sql`NOT EXISTS (SELECT 1 FROM ${mailOutbox} WHERE ${counted} LIMIT 1 OFFSET ${max - 1})`;
}

/** SQL condition: at least so many codes wait to leave. The state is written out, for the partial index. */
export function areCodesWaiting(count: number, now: Date): SQL {
  const { state, lane, expiresAt } = mailOutbox;
  return sql`EXISTS (SELECT 1 FROM ${mailOutbox}
    WHERE ${state} = 'waiting' AND ${lane} <= ${MAIL_LANES.codes} AND ${gt(expiresAt, now)}
    LIMIT 1 OFFSET ${count - 1})`;
}
