import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "../../db/db.server.ts";
import { mailOutbox } from "../../db/schema/schema.ts";
import { readListParams } from "../../http/list-params.ts";
import { listState } from "../../http/list-state.ts";
import { MAIL_STATES } from "./states.ts";

const PAGE_SIZE = 20;
/** Above this a total is "1,000+". */
const TOTAL_CAP = 1_000;

/** What the mail log's address shows, in one round trip. Nothing of a mail's content: a code is nobody else's. */
export async function loadMailLog(db: Db, url: URL) {
  const params = readListParams(url, ["created"], "desc");
  const state = z
    .enum(MAIL_STATES)
    .optional()
    .catch(undefined)
    .parse(url.searchParams.get("state") ?? undefined);
  const recipient = params.searchTerm.trim().toLowerCase();
  const criteria = and(
    state && eq(mailOutbox.state, state),
    recipient ? eq(mailOutbox.recipient, recipient) : undefined,
  );
  const limit = PAGE_SIZE * params.pages;
  const [rows, totals] = await db.batch([
    db
      .select({
        id: mailOutbox.id,
        kind: mailOutbox.kind,
        recipient: mailOutbox.recipient,
        state: mailOutbox.state,
        tries: mailOutbox.tries,
        providerId: mailOutbox.providerId,
        lastError: mailOutbox.lastError,
        createdAt: mailOutbox.createdAt,
      })
      .from(mailOutbox)
      .where(and(criteria, behind(params.after)))
      .orderBy(desc(mailOutbox.createdAt), desc(mailOutbox.id))
      .limit(limit + 1),
    db
      .select({
        count: sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${mailOutbox} WHERE ${criteria ?? sql`1`} LIMIT ${TOTAL_CAP + 1}))`,
      })
      .from(sql`(SELECT 1)`),
  ]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const count = totals[0]?.count ?? 0;
  return {
    rows: shown,
    filters: { state },
    state: listState(params, {
      shown: shown.length,
      hasMore: rows.length > limit,
      total: { count: Math.min(count, TOTAL_CAP), isCapped: count > TOTAL_CAP },
      cursor: last && { value: last.createdAt.getTime(), id: last.id },
    }),
  };
}

/** Makes a waiting mail due at once; false when it does not wait any more. What was sent or has expired stays so. */
export async function makeMailDue(db: Db, id: string, now: Date): Promise<boolean> {
  const due = await db
    .update(mailOutbox)
    .set({ nextTryAt: now, leasedUntil: null })
    .where(and(eq(mailOutbox.id, id), eq(mailOutbox.state, "waiting")))
    .returning({ id: mailOutbox.id });
  return due.length > 0;
}

function behind(after: { value: string | number | null; id: string } | undefined): SQL | undefined {
  return after && sql`(${mailOutbox.createdAt}, ${mailOutbox.id}) < (${after.value}, ${after.id})`;
}
