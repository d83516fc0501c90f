import { and, eq, type SQL, sql } from "drizzle-orm";
import { mailOutbox } from "./schema/schema.ts";

/** The mails in a state. For those that are not sent it names the condition of the index that finds them. */
export function isInState(state: typeof mailOutbox.$inferSelect.state): SQL | undefined {
  const isUnsent = sql`${mailOutbox.state} <> 'sent'`;
  return and(eq(mailOutbox.state, state), state === "sent" ? undefined : isUnsent);
}

/** The mails of a kind. For a rare one it names the condition of the index that finds them. */
export function isOfKind(kind: string): SQL | undefined {
  const isRare = sql`${mailOutbox.kind} <> 'login-code'`;
  return and(eq(mailOutbox.kind, kind), kind === "login-code" ? undefined : isRare);
}
