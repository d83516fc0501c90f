import { and, eq, isNull, lt, or } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { idempotentAnswer } from "../../db/schema/schema.ts";
import { DAY_MS } from "../../values/time.ts";

/** A request whose worker ended before it answered holds its key this long. */
const UNANSWERED_MS = 60_000;

/** A request with an `Idempotency-Key`. */
export type IdempotentRequest = { apiKeyId: string; idempotencyKey: string; requestHash: string };

type Claim =
  /** This is the first request with the key: it does the work. */
  | { state: "first" }
  | { state: "answered"; answer: string }
  | { state: "refused"; code: "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_KEY_REUSED" };

/** Says whether a request with an idempotency key may do its work, or was answered within the last day. */
export async function claimRequest(
  db: Db,
  { requestHash, ...key }: IdempotentRequest,
  now: Date,
): Promise<Claim> {
  const ago = (ms: number) => lt(idempotentAnswer.createdAt, new Date(now.getTime() - ms));
  const isOver = or(ago(DAY_MS), and(isNull(idempotentAnswer.answer), ago(UNANSWERED_MS)));
  const [, claimed, [row]] = await db.batch([
    db.delete(idempotentAnswer).where(and(isRequest(key), isOver)),
    db
      .insert(idempotentAnswer)
      .values({ ...key, requestHash, createdAt: now })
      .onConflictDoNothing(),
    db.select().from(idempotentAnswer).where(isRequest(key)),
  ]);
  if (claimed.meta.changes > 0) return { state: "first" };
  if (row?.requestHash !== requestHash) return { state: "refused", code: "IDEMPOTENCY_KEY_REUSED" };
  if (row.answer === null) return { state: "refused", code: "IDEMPOTENCY_KEY_IN_USE" };
  return { state: "answered", answer: row.answer };
}

/** Statement that keeps the answer of a request, for the batch that does its work. */
export function keepAnswer(db: Db, key: IdempotentRequest, answer: string) {
  return db.update(idempotentAnswer).set({ answer }).where(isRequest(key));
}

/** Lets a request that did nothing be sent again. */
export async function releaseRequest(db: Db, key: IdempotentRequest): Promise<void> {
  await db.delete(idempotentAnswer).where(and(isRequest(key), isNull(idempotentAnswer.answer)));
}

/** Deletes the answers that are no longer kept. */
export async function pruneAnswers(db: Db, now: Date): Promise<void> {
  await db
    .delete(idempotentAnswer)
    .where(lt(idempotentAnswer.createdAt, new Date(now.getTime() - DAY_MS)));
}

function isRequest({ apiKeyId, idempotencyKey }: Omit<IdempotentRequest, "requestHash">) {
  return and(
    eq(idempotentAnswer.apiKeyId, apiKeyId),
    eq(idempotentAnswer.idempotencyKey, idempotencyKey),
  );
}
