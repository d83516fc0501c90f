import { and, desc, gt, inArray, lte, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { dayNumberOf, MINUTE_MS } from "../../values/time.ts";
import type { AnsweredCall } from "../access/program.server.ts";
import { CALL_LOG_DAYS, LISTED_CALLS } from "./call-log.ts";
import { apiCall, apiKey } from "./tables.server.ts";

/** Rows of a key and day. A newer call replaces the oldest. */
const CALLS_OF_DAY = 50;
const PATH_LENGTH = 200;
/** Statuses of refusals without a limit of their own: one a minute is written. */
const UNBOUNDED = [401, 429];

/**
 * Writes a call into the log of its key, in one row. A key that was deleted in the meantime has no
 * log. Calls beyond the limit, and calls with a key that has expired or was revoked, are written
 * once a minute, so that they cannot write more rows than allowed calls do.
 */
export async function recordCall(db: Db, call: AnsweredCall): Promise<void> {
  const { keyId, status, method, path, requestId, at } = call;
  const day = dayNumberOf(at);
  const ofDay = sql`${apiCall.apiKeyId} = ${keyId} AND ${apiCall.day} = ${day}`;
  const isRepeated = UNBOUNDED.includes(status)
    ? sql`EXISTS (SELECT 1 FROM ${apiCall} WHERE ${ofDay} AND ${apiCall.status} = ${status}
        AND ${apiCall.at} > ${at.getTime() - MINUTE_MS})`
    : sql`FALSE`;
  const isRefused = status >= 400 ? 1 : 0;
  await db.run(sql`
    INSERT INTO ${apiCall} (api_key_id, day, slot, number, refused, at, status, method, path, request_id)
    SELECT ${apiKey.id}, ${day}, before.number % ${CALLS_OF_DAY}, before.number + 1, before.refused + ${isRefused},
      ${at.getTime()}, ${status}, ${method.slice(0, 20)}, ${path.slice(0, PATH_LENGTH)}, ${requestId.slice(0, 64)}
    FROM ${apiKey}, (
      SELECT coalesce(max(${apiCall.number}), 0) AS number, coalesce(max(${apiCall.refused}), 0) AS refused
      FROM ${apiCall} WHERE ${ofDay}
    ) AS before
    WHERE ${apiKey.id} = ${keyId} AND NOT ${isRepeated}
    ON CONFLICT (api_key_id, day, slot) DO UPDATE SET
      number = excluded.number, refused = excluded.refused, at = excluded.at, status = excluded.status,
      method = excluded.method, path = excluded.path, request_id = excluded.request_id
  `);
}

/** Statement that finds the last calls of the keys that a condition finds, the newest first. */
export function selectCalls(db: Db, ofKeys: SQL | undefined, now: Date) {
  return db
    .select({
      day: apiCall.day,
      number: apiCall.number,
      at: apiCall.at,
      status: apiCall.status,
      method: apiCall.method,
      path: apiCall.path,
      requestId: apiCall.requestId,
    })
    .from(apiCall)
    .where(isKept(db, ofKeys, now))
    .orderBy(desc(apiCall.day), desc(apiCall.number))
    .limit(LISTED_CALLS);
}

/** Statement that counts these keys' calls by day. */
export function selectCallDays(db: Db, ofKeys: SQL | undefined, now: Date) {
  return db
    .select({
      day: apiCall.day,
      calls: sql<number>`max(${apiCall.number})`.as("calls"),
      refused: sql<number>`max(${apiCall.refused})`.as("refused_calls"),
    })
    .from(apiCall)
    .where(isKept(db, ofKeys, now))
    .groupBy(apiCall.day);
}

/** Deletes the calls of days that are no longer kept. */
export async function pruneCalls(db: Db, now: Date): Promise<void> {
  // By key, because an index of the days would cost a second row for each call.
  const keys = db.select({ id: apiKey.id }).from(apiKey);
  await db
    .delete(apiCall)
    .where(
      and(inArray(apiCall.apiKeyId, keys), lte(apiCall.day, dayNumberOf(now) - CALL_LOG_DAYS)),
    );
}

function isKept(db: Db, ofKeys: SQL | undefined, now: Date) {
  const keys = db.select({ id: apiKey.id }).from(apiKey).where(ofKeys);
  return and(inArray(apiCall.apiKeyId, keys), gt(apiCall.day, dayNumberOf(now) - CALL_LOG_DAYS));
}
