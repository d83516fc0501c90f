import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Db } from "./db.server.ts";
import { mailPause } from "./schema/schema.ts";

/** Statement that selects the quota of mails that is used up at the provider; no row while mail can leave. */
export function selectMailPause(db: Db, now: Date) {
  const { id, quota, retryAt, until } = mailPause;
  return db
    .select({ quota, retryAt, until })
    .from(mailPause)
    .where(and(eq(id, 1), gt(until, now)));
}

export type MailPause = Awaited<ReturnType<typeof selectMailPause>>[number];

/**
 * True when no code can leave, because a quota is used up. Not after `retryAt`: the next mail finds
 * out whether the quota has grown, and it may be a code.
 */
export function isMailPaused(pause: MailPause | undefined, now: Date): boolean {
  return pause !== undefined && now < pause.retryAt;
}

/** SQL condition: the same, for a statement that must then write nothing. */
export function mailPaused(now: Date): SQL {
  const { id, retryAt, until } = mailPause;
  return sql`EXISTS (SELECT 1 FROM ${mailPause} WHERE ${and(eq(id, 1), gt(until, now), gt(retryAt, now))})`;
}
