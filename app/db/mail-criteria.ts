import { and, eq, type SQL, sql } from "drizzle-orm";
import { mailOutbox } from "./schema/schema.ts";

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
