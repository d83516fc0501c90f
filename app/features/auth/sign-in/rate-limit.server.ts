import { lt, sql } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { rateLimit } from "../../../db/schema/schema.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { DAY_MS } from "../../../values/time.ts";
import { currentScope } from "./scope.server.ts";
import { beginSignInCall } from "./sign-in-call.server.ts";

type Rule = { window: number; max: number };

/**
 * Storage for better-auth's limits by IP address. It needs one statement for each request; better-auth's own needs two
 * to four and miscounts simultaneous requests. A call that signs in sends the statement in its first batch. `window` is
 * in seconds.
 */
export function createRateLimitStorage(db: Db, keys: Keys, now: () => Date) {
  return {
    async consume(client: string, rule: Rule) {
      // better-auth identifies a client by its IP address; the table stores only a hash.
      const key = await keys.mac("rate-limit", client);
      const row = await count(db, key, rule, now());
      if (!row || row.count <= rule.max) return { allowed: true, retryAfter: null };
      const endsAt = row.windowStart.getTime() + rule.window * 1_000;
      return {
        allowed: false,
        retryAfter: Math.max(1, Math.ceil((endsAt - now().getTime()) / 1_000)),
      };
    },
  };
}

async function count(db: Db, key: string, { window, max }: Rule, now: Date) {
  const nowMs = now.getTime();
  const isOver = sql`${rateLimit.windowStart} <= ${nowMs - window * 1_000}`;
  const statement = db
    .insert(rateLimit)
    .values({ key, count: 1, windowStart: now })
    .onConflictDoUpdate({
      target: rateLimit.key,
      set: {
        count: sql`CASE WHEN ${isOver} THEN 1 ELSE ${rateLimit.count} + 1 END`,
        windowStart: sql`CASE WHEN ${isOver} THEN ${nowMs} ELSE ${rateLimit.windowStart} END`,
      },
    })
    .returning();
  const { signInCall } = currentScope();
  // A wrong captcha is found only later and must not cost the mailbox a code, so the limit then counts separately.
  if (!signInCall || signInCall.hasCaptcha) return (await statement)[0];
  const isAllowed = sql`(SELECT ${rateLimit.count} FROM ${rateLimit} WHERE ${rateLimit.key} = ${key}) <= ${max}`;
  return (await beginSignInCall(signInCall, { statement, isAllowed }))?.[0];
}

/** Deletes counters whose window ended long ago. */
export async function pruneRateLimits(db: Db, now: Date): Promise<void> {
  await db.delete(rateLimit).where(lt(rateLimit.windowStart, new Date(now.getTime() - DAY_MS)));
}
