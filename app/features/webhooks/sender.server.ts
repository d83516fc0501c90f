import { and, asc, eq, getTableColumns, gte, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import {
  auditEvent,
  organization,
  webhookDelivery,
  webhookEndpoint,
} from "../../db/schema/schema.ts";
import type { Keys } from "../../runtime/keys.server.ts";
import { describeError, log } from "../../runtime/log.ts";
import { type Attempt, attempt, failed } from "./attempt.server.ts";
import { bodyOf } from "./events.ts";
import { type PauseServices, pauseFailed } from "./pause-failed.server.ts";
import { nextTryAt } from "./retry.ts";

/**
 * So that the outcomes of a run are stored soon and a run stays within the 50 requests of the free plan. The next run goes
 * on at once.
 */
const DELIVERIES_PER_RUN = 25;
const RUN_MS = 20_000;
/** Wait after a fault of the database. */
const AFTER_FAULT_MS = 5_000;
/** Endpoints that are woken at once; the cron wakes the others. */
const WOKEN_AT_ONCE = 20;

type SenderServices = PauseServices & { db: Db; keys: Keys };

/** What became of a delivery. One whose event is no longer there is skipped. */
type Outcome = { createdAt: Date; eventId: string } & (Attempt | { isGone: true });

/**
 * Returns the function that delivers an endpoint's events in their order, and that returns when it must run again;
 * undefined when nothing waits. The first event that cannot be delivered is tried again, and the others wait for it. There
 * must be one sender for each endpoint.
 */
export function createWebhookSender(services: SenderServices, id: string, now: () => Date) {
  const { db } = services;

  async function runOnce(): Promise<Date | undefined> {
    const [[endpoint], waiting] = await db.batch([
      db
        .select({ ...getTableColumns(webhookEndpoint), organization: organization.name })
        .from(webhookEndpoint)
        .leftJoin(organization, eq(organization.id, webhookEndpoint.organizationId))
        .where(and(eq(webhookEndpoint.id, id), isOpen)),
      selectWaiting(db, id),
    ]);
    if (endpoint?.state !== "active" || waiting.length === 0) return undefined;
    if (endpoint.nextTryAt && endpoint.nextTryAt > now()) return endpoint.nextTryAt;
    const outcomes: Outcome[] = [];
    const secrets = await openSecrets(services.keys, endpoint, now());
    const stopAt = now().getTime() + RUN_MS;
    for (const { createdAt, eventId, event } of waiting) {
      const made = event
        ? await tryOnce(services, endpoint, event, secrets, now)
        : { isGone: true as const };
      outcomes.push({ createdAt, eventId, ...made });
      if (isFailure(made) || now().getTime() > stopAt) break;
    }
    const next = await store(services, endpoint, outcomes, now());
    const isAll = waiting.length < DELIVERIES_PER_RUN && outcomes.length === waiting.length;
    return next ?? (isAll || isFailure(outcomes.at(-1)) ? undefined : now());
  }

  return async (): Promise<Date | undefined> => {
    try {
      return await runOnce();
    } catch (error) {
      // What was delivered but not stored is sent again, with the same id.
      log("error", "webhook.sending_failed", { endpoint: id, ...describeError(error) });
      return new Date(now().getTime() + AFTER_FAULT_MS);
    }
  };
}

type Endpoint = typeof webhookEndpoint.$inferSelect & { organization: string | null };

/** SQL condition: an endpoint is the site's, or its organization is neither disabled nor being deleted. */
const isOpen = and(isNull(organization.disabledAt), isNull(organization.deletionDueAt));

/** Statement that finds the next deliveries of an endpoint with their events, the oldest first. */
function selectWaiting(db: Db, endpointId: string) {
  return db
    .select({
      // In a batch two columns of one name would become one.
      createdAt: sql`${webhookDelivery.createdAt}`.mapWith(webhookDelivery.createdAt).as("at"),
      eventId: webhookDelivery.eventId,
      event: {
        id: auditEvent.id,
        action: auditEvent.action,
        actorId: auditEvent.actorId,
        impersonatorId: auditEvent.impersonatorId,
        targetType: auditEvent.targetType,
        targetId: auditEvent.targetId,
        details: auditEvent.details,
        ipAddress: auditEvent.ipAddress,
        createdAt: auditEvent.createdAt,
      },
    })
    .from(webhookDelivery)
    .leftJoin(
      auditEvent,
      and(
        eq(auditEvent.createdAt, webhookDelivery.createdAt),
        eq(auditEvent.id, webhookDelivery.eventId),
      ),
    )
    .where(
      and(
        eq(webhookDelivery.endpointId, endpointId),
        gte(
          webhookDelivery.createdAt,
          sql`(SELECT ${webhookEndpoint.settledUntil} FROM ${webhookEndpoint} WHERE ${webhookEndpoint.id} = ${endpointId})`,
        ),
        eq(webhookDelivery.state, "waiting"),
      ),
    )
    .orderBy(asc(webhookDelivery.createdAt), asc(webhookDelivery.eventId))
    .limit(DELIVERIES_PER_RUN);
}

type Event = NonNullable<Awaited<ReturnType<typeof selectWaiting>>[number]["event"]>;

/** Decrypts the secrets that sign now; undefined when that is not possible. */
export async function openSecrets(
  keys: Keys,
  { secret, previousSecret, previousSecretUntil }: SignedEndpoint,
  now: Date,
): Promise<string[] | undefined> {
  const isOverlap = previousSecret && previousSecretUntil && previousSecretUntil > now;
  const sealed = isOverlap ? [secret, previousSecret] : [secret];
  try {
    return await Promise.all(sealed.map((one) => keys.decrypt("webhook", one)));
  } catch {
    return undefined;
  }
}

type SignedEndpoint = Pick<Endpoint, "secret" | "previousSecret" | "previousSecretUntil">;

async function tryOnce(
  { baseUrl }: SenderServices,
  { url, withIpAddress }: Endpoint,
  event: Event,
  secrets: string[] | undefined,
  now: () => Date,
): Promise<Attempt> {
  if (!secrets) return failed("unreadable", 0);
  const body = bodyOf(event, withIpAddress);
  return attempt({ url, secrets, id: event.id, body, ownOrigin: baseUrl }, now);
}

function isFailure(made: Attempt | { isGone: true } | undefined): boolean {
  return made !== undefined && "isDelivered" in made && !made.isDelivered;
}

/** Stores the outcomes of a run together. Returns when a failed delivery is tried again. */
async function store(
  services: SenderServices,
  endpoint: Endpoint,
  outcomes: Outcome[],
  now: Date,
): Promise<Date | undefined> {
  const { db } = services;
  const last = outcomes.at(-1);
  if (!last) return undefined;
  const stored = storeOutcomes(db, endpoint.id, outcomes, now);
  if (!isFailure(last)) {
    const settled = { ...settledUpTo(last.createdAt), failingSince: null, tries: 0 };
    await db.batch([
      stored,
      db
        .update(webhookEndpoint)
        .set({ ...settled, nextTryAt: null })
        .where(eq(webhookEndpoint.id, endpoint.id)),
    ]);
    return undefined;
  }
  // A delivery before it has ended the failures of earlier runs.
  const isFirst = outcomes.length > 1 || !endpoint.failingSince;
  const failingSince = isFirst || !endpoint.failingSince ? now : endpoint.failingSince;
  const tries = isFirst ? 1 : endpoint.tries + 1;
  const next = nextTryAt(tries, failingSince, now);
  const failing = { ...settledUpTo(last.createdAt), failingSince, tries };
  if (!next) {
    await pauseFailed(services, endpoint, { stored, failing, now });
    return undefined;
  }
  log("warn", "webhook.retry", {
    ...{ endpoint: endpoint.id, tries, status: "status" in last ? last.status : null },
    error: "error" in last ? last.error : null,
  });
  await db.batch([
    stored,
    db
      .update(webhookEndpoint)
      .set({ ...failing, nextTryAt: next })
      .where(eq(webhookEndpoint.id, endpoint.id)),
  ]);
  return next;
}

/** Statement that stores all outcomes of a run. */
function storeOutcomes(db: Db, endpointId: string, outcomes: Outcome[], now: Date) {
  const rows = outcomes.map(({ createdAt, eventId, ...made }) => {
    const isGone = "isGone" in made;
    const state = isGone ? "skipped" : made.isDelivered ? "delivered" : "waiting";
    const tried = isGone ? {} : made;
    return { createdAt: createdAt.getTime(), eventId, state, isTry: isGone ? 0 : 1, ...tried };
  });
  const outcome = (field: string) => sql`outcome.value ->> ${sql.raw(`'${field}'`)}`;
  return db
    .update(webhookDelivery)
    .set({
      state: sql`${outcome("state")}`,
      tries: sql`${webhookDelivery.tries} + (${outcome("isTry")})`,
      triedAt: now,
      status: sql`${outcome("status")}`,
      error: sql`${outcome("error")}`,
      durationMs: sql`${outcome("durationMs")}`,
      answer: sql`${outcome("answer")}`,
    })
    .from(sql`json_each(${JSON.stringify(rows)}) AS outcome`)
    .where(
      and(
        eq(webhookDelivery.endpointId, endpointId),
        sql`${webhookDelivery.createdAt} = ${outcome("createdAt")}`,
        sql`${webhookDelivery.eventId} = ${outcome("eventId")}`,
      ),
    );
}

/**
 * Returns up to where all is settled after a run: the first delivery that waits, or the last one of the run. It is asked in
 * the statement that writes, because an event from before it may have been recorded meanwhile.
 */
function settledUpTo(last: Date): { settledUntil: SQL } {
  return {
    settledUntil: sql`coalesce((
      SELECT ${webhookDelivery.createdAt} FROM ${webhookDelivery}
      WHERE ${webhookDelivery.endpointId} = ${webhookEndpoint.id}
        AND ${webhookDelivery.createdAt} >= ${webhookEndpoint.settledUntil} AND ${webhookDelivery.state} = 'waiting'
      ORDER BY ${webhookDelivery.createdAt} LIMIT 1
    ), ${last.getTime()})`,
  };
}

/** Finds the endpoints with something to deliver now. */
async function findDue(db: Db, now: Date): Promise<string[]> {
  const waits = sql`EXISTS (
    SELECT 1 FROM ${webhookDelivery}
    WHERE ${webhookDelivery.endpointId} = ${webhookEndpoint.id}
      AND ${webhookDelivery.createdAt} >= ${webhookEndpoint.settledUntil} AND ${webhookDelivery.state} = 'waiting'
  )`;
  const rows = await db
    .select({ id: webhookEndpoint.id })
    .from(webhookEndpoint)
    .leftJoin(organization, eq(organization.id, webhookEndpoint.organizationId))
    .where(
      and(
        eq(webhookEndpoint.state, "active"),
        or(isNull(webhookEndpoint.nextTryAt), lte(webhookEndpoint.nextTryAt, now)),
        isOpen,
        waits,
      ),
    )
    .orderBy(asc(webhookEndpoint.settledUntil))
    .limit(WOKEN_AT_ONCE);
  return rows.map(({ id }) => id);
}

/** Wakes the senders of all endpoints with something to deliver. It never throws: what it misses, the cron does. */
export async function wakeSenders(
  { db, wakeSender }: { db: Db; wakeSender: (endpointId: string) => Promise<void> },
  now: Date,
): Promise<void> {
  try {
    await Promise.all((await findDue(db, now)).map(wakeSender));
  } catch (error) {
    log("warn", "webhook.sender_not_reached", describeError(error));
  }
}
