import { and, asc, desc, eq, getTableColumns, gt, gte, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { auditEvent } from "../../db/schema/schema.ts";
import { behind, orderBy } from "../../lists/query/page.server.ts";
import { dayNumberOf } from "../../values/time.ts";
import type { AttemptError } from "./attempt.server.ts";
import { afterDelivery, type DeliveryKey } from "./delivery-key.ts";
import { EVENT_COLUMNS } from "./event-columns.server.ts";
import { bodyOf, typeOf } from "./events.ts";
import { BIN_MS, DELIVERY_DAYS } from "./limits.ts";
import { SAMPLE_TYPES, sampleOf } from "./samples.ts";
import {
  webhookAttempt,
  webhookBin,
  webhookDay,
  webhookDelivery,
  webhookEndpoint,
} from "./tables.server.ts";
import type { ShownWebhook } from "./webhooks.server.ts";

/** Deliveries of a page. */
const DELIVERIES_SHOWN = 25;

type Asked = {
  isOfSite: boolean;
  organizationId: string | null;
  before: DeliveryKey | undefined;
  now: Date;
};

/** One attempt: when, the answer or why there was none, and how long it took. */
export type ShownAttempt = {
  triedAt: Date | null;
  status: number | null;
  error: AttemptError | null;
  durationMs: number | null;
  answer: string | null;
};

/**
 * Finds the newest deliveries of a webhook, or those before a delivery, with body and attempts.
 * Also finds the first waiting one, the counts by day, and what the built-in bin received. Only the
 * site's managers see IP addresses and the text of answers.
 */
export async function findDeliveries(
  db: Db,
  webhook: Pick<ShownWebhook, "id" | "withIpAddress" | "state" | "nextTryAt" | "makerLeftAt">,
  { isOfSite, organizationId, before, now }: Asked,
) {
  const { id } = webhook;
  const reader = { withIpAddress: isOfSite && webhook.withIpAddress, organizationId };
  const [rows, [first], days, received] = await db.batch([
    selectDeliveries(db, id, before),
    selectFirstWaiting(db, id),
    selectDays(db, id, now),
    selectReceived(db, id, now),
  ]);
  const isDue = webhook.nextTryAt === null || webhook.nextTryAt <= now;
  const isSending = webhook.state === "active" && !webhook.makerLeftAt && first && isDue;
  return {
    hasMore: rows.length > DELIVERIES_SHOWN,
    deliveries: rows.slice(0, DELIVERIES_SHOWN).map(({ delivery, earlier, event }) => ({
      createdAt: delivery.createdAt,
      eventId: delivery.eventId,
      state: delivery.state,
      tries: delivery.tries,
      attempts: attemptsOf(delivery, earlier, isOfSite),
      type: event ? typeOf(event.action, event.details) : undefined,
      body: event && bodyOf({ ...event, createdAt: delivery.createdAt }, reader),
    })),
    first: first && {
      createdAt: first.delivery.createdAt,
      eventId: first.delivery.eventId,
      tries: first.delivery.tries,
      type: first.event ? typeOf(first.event.action, first.event.details) : undefined,
    },
    isSending: Boolean(isSending),
    days,
    received: received.map(({ one, event }) => {
      const sample = SAMPLE_TYPES.find((type) => type === one.sample);
      return {
        receivedAt: one.receivedAt,
        eventId: one.eventId,
        isSample: one.sample !== null,
        isSigned: one.isSigned,
        headers: one.headers,
        type: sample ?? (event ? typeOf(event.action, event.details) : undefined),
        body: sample
          ? sampleOf(sample, { id: one.eventId, at: one.createdAt })
          : event && bodyOf({ ...event, createdAt: one.createdAt }, reader),
      };
    }),
  };
}

export type ShownDeliveries = Awaited<ReturnType<typeof findDeliveries>>;

export type ShownDelivery = ShownDeliveries["deliveries"][number];

export type ShownReceived = ShownDeliveries["received"][number];

function selectDeliveries(db: Db, id: string, before: DeliveryKey | undefined) {
  const { createdAt, eventId } = webhookDelivery;
  const newest = { by: createdAt, direction: "desc" } as const;
  const attempt = webhookAttempt;
  return db
    .select({
      delivery: getTableColumns(webhookDelivery),
      earlier: sql<string>`(
        SELECT json_group_array(json_object(
          'triedAt', tried_at, 'status', status, 'error', error, 'durationMs', duration_ms, 'answer', answer
        )) FROM (
          SELECT * FROM ${attempt} WHERE ${attempt.endpointId} = ${webhookDelivery.endpointId}
            AND ${attempt.createdAt} = ${createdAt} AND ${attempt.eventId} = ${eventId}
          ORDER BY ${attempt.triedAt} DESC
        )
      )`.as("earlier"),
      event: EVENT_COLUMNS,
    })
    .from(webhookDelivery)
    .leftJoin(auditEvent, and(eq(auditEvent.createdAt, createdAt), eq(auditEvent.id, eventId)))
    .where(
      and(
        eq(webhookDelivery.endpointId, id),
        behind(newest, eventId, before && afterDelivery(before)),
      ),
    )
    .orderBy(...orderBy(newest, eventId))
    .limit(DELIVERIES_SHOWN + 1);
}

/** Statement that finds the first waiting event of a webhook. The others wait for it. */
function selectFirstWaiting(db: Db, id: string) {
  const { endpointId, createdAt, eventId, state } = webhookDelivery;
  return db
    .select({
      delivery: { createdAt, eventId, tries: webhookDelivery.tries },
      event: EVENT_COLUMNS,
    })
    .from(webhookDelivery)
    .leftJoin(auditEvent, and(eq(auditEvent.createdAt, createdAt), eq(auditEvent.id, eventId)))
    .where(
      and(
        eq(endpointId, id),
        gte(
          createdAt,
          sql`(SELECT ${webhookEndpoint.settledUntil} FROM ${webhookEndpoint} WHERE ${webhookEndpoint.id} = ${id})`,
        ),
        eq(state, "waiting"),
      ),
    )
    .orderBy(asc(createdAt), asc(eventId))
    .limit(1);
}

/** Statement that counts the attempts by day, in UTC. Days without attempts have no row. */
function selectDays(db: Db, id: string, now: Date) {
  const { endpointId, day, accepted, failed } = webhookDay;
  return db
    .select({ day, accepted, failed })
    .from(webhookDay)
    .where(and(eq(endpointId, id), gt(day, dayNumberOf(now) - DELIVERY_DAYS)))
    .orderBy(asc(day));
}

/**
 * Statement that finds what the built-in bin received in the last day. A trigger keeps the last 20.
 */
function selectReceived(db: Db, id: string, now: Date) {
  const { endpointId, receivedAt, eventId, createdAt } = webhookBin;
  return db
    .select({ one: getTableColumns(webhookBin), event: EVENT_COLUMNS })
    .from(webhookBin)
    .leftJoin(auditEvent, and(eq(auditEvent.createdAt, createdAt), eq(auditEvent.id, eventId)))
    .where(and(eq(endpointId, id), gt(receivedAt, new Date(now.getTime() - BIN_MS))))
    .orderBy(desc(receivedAt), desc(createdAt), desc(eventId));
}

type EarlierRow = { triedAt: number } & Omit<ShownAttempt, "triedAt">;

/** Returns the attempts of a delivery, the last one first. */
function attemptsOf(
  last: typeof webhookDelivery.$inferSelect,
  earlier: string,
  showsAnswer: boolean,
): ShownAttempt[] {
  if (last.tries === 0) return [];
  const rows: EarlierRow[] = JSON.parse(earlier);
  // The sender writes only these errors.
  const error = last.error as AttemptError | null;
  const { triedAt, status, durationMs, answer } = last;
  return [
    { triedAt, status, error, durationMs, answer },
    ...rows.map((row) => ({ ...row, triedAt: new Date(row.triedAt) })),
  ].map((one) => ({ ...one, answer: showsAnswer ? one.answer : null }));
}
