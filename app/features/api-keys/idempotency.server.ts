import { and, eq, isNull, lt, or, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { DAY_MS } from "../../values/time.ts";
import type { KeyHolder, Once, RepeatableCall } from "../access/program.server.ts";
import { hashText } from "./secret.server.ts";
import { idempotentAnswer } from "./tables.server.ts";

/** A request whose worker ended before it answered holds its key this long. */
const UNANSWERED_MS = 60_000;

/** A request with an `Idempotency-Key`. */
type IdempotentRequest = { caller: KeyHolder; idempotencyKey: string; requestHash: string };

type Claim =
  /** This is the first request with the key: it does the work. */
  | { state: "first" }
  | { state: "answered"; answer: string }
  | { state: "refused"; code: "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_KEY_REUSED" };

/** Does the work of a call once for each `Idempotency-Key`; without one, each time. */
export function onceFor(db: Db, { request, holder, body, now }: RepeatableCall): Once {
  return async (answerOf, work) => {
    const idempotencyKey = request.headers.get("idempotency-key");
    if (idempotencyKey === null) return work(() => undefined);
    if (!/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
      const message = "validation:generic.invalidFormat.default";
      const fields = [{ field: "Idempotency-Key", message }];
      return { ok: false, status: 400, code: "INVALID_PAYLOAD", fields };
    }
    const own = {
      idempotencyKey,
      caller: holder,
      requestHash: await hashText(JSON.stringify(body)),
    };
    const claim = await claimRequest(db, own, now);
    switch (claim.state) {
      case "answered":
        return answerOf(JSON.parse(claim.answer));
      case "refused":
        return claim.code === "IDEMPOTENCY_KEY_REUSED"
          ? { ok: false, status: 422, code: claim.code }
          : { ok: false, status: 409, code: claim.code, retryAfterSeconds: 1 };
      case "first": {
        // A request that is refused, or that fails before anything is written, can be sent again.
        const answer = await work((kept, when) =>
          keepAnswer(db, own, JSON.stringify(kept), when),
        ).catch(async (error) => {
          await releaseRequest(db, own);
          throw error;
        });
        if (!answer.ok) await releaseRequest(db, own);
        return answer;
      }
    }
  };
}

/** Says whether a request with an idempotency key may do its work, or was answered within the last day. */
async function claimRequest(db: Db, request: IdempotentRequest, now: Date): Promise<Claim> {
  const { caller, idempotencyKey, requestHash } = request;
  const ago = (ms: number) => lt(idempotentAnswer.createdAt, new Date(now.getTime() - ms));
  const isOver = or(ago(DAY_MS), and(isNull(idempotentAnswer.answer), ago(UNANSWERED_MS)));
  const [, claimed, [row]] = await db.batch([
    db.delete(idempotentAnswer).where(and(isOf(request), isOver)),
    db
      .insert(idempotentAnswer)
      .values({ ...columnsOf(caller), idempotencyKey, requestHash, createdAt: now })
      .onConflictDoNothing(),
    db.select().from(idempotentAnswer).where(isOf(request)),
  ]);
  if (claimed.meta.changes > 0) return { state: "first" };
  if (row?.requestHash !== requestHash) return { state: "refused", code: "IDEMPOTENCY_KEY_REUSED" };
  if (row.answer === null) return { state: "refused", code: "IDEMPOTENCY_KEY_IN_USE" };
  return { state: "answered", answer: row.answer };
}

/** Statement that keeps the answer of a request, for the batch that does its work. */
function keepAnswer(db: Db, request: IdempotentRequest, answer: string, when: SQLWrapper) {
  return db
    .update(idempotentAnswer)
    .set({ answer })
    .where(and(isOf(request), sql`${when}`));
}

/** Lets a request that did nothing be sent again. */
async function releaseRequest(db: Db, request: IdempotentRequest): Promise<void> {
  await db.delete(idempotentAnswer).where(and(isOf(request), isNull(idempotentAnswer.answer)));
}

/** Deletes the answers that are no longer kept. */
export async function pruneAnswers(db: Db, now: Date): Promise<void> {
  await db
    .delete(idempotentAnswer)
    .where(lt(idempotentAnswer.createdAt, new Date(now.getTime() - DAY_MS)));
}

/** Who asks: a key, or an app for a user. */
function columnsOf({ by, user }: KeyHolder) {
  return by.type === "key" ? { apiKeyId: by.id } : { appId: by.id, userId: user.id };
}

function isOf({ caller, idempotencyKey }: IdempotentRequest) {
  const { apiKeyId, appId, userId } = idempotentAnswer;
  const { by, user } = caller;
  const isCaller =
    by.type === "key" ? eq(apiKeyId, by.id) : and(eq(appId, by.id), eq(userId, user.id));
  return and(isCaller, eq(idempotentAnswer.idempotencyKey, idempotencyKey));
}
