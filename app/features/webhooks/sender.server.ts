import { and, asc, eq, getTableColumns, gte, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { rowValues } from "../../db/row-values.ts";
import { auditEvent, organization, rateLimit } from "../../db/schema/schema.ts";
import type { Keys } from "../../runtime/keys.server.ts";
import { describeError, log } from "../../runtime/log.ts";
import { dayNumberOf } from "../../values/time.ts";
import { type Attempt, attempt, failed, type ReachableHosts } from "./attempt.server.ts";
import { EVENT_COLUMNS } from "./event-columns.server.ts";
import { bodyOf } from "./events.ts";
import { WEBHOOK_LIMITS } from "./limits.ts";
import { type PauseServices, pauseFailed } from "./pause-failed.server.ts";
import { nextTryAt } from "./retry.ts";
import { webhookBin, webhookDay, webhookDelivery, webhookEndpoint } from "./tables.server.ts";

/**
 * So that the outcomes of a run are stored soon and a run stays within the 50 requests of the free
 * plan. The next run goes on at once.
 */
const DELIVERIES_PER_RUN = 25;
const RUN_MS = 20_000;
/** Wait after a fault of the database. */
const AFTER_FAULT_MS = 5_000;
/** Endpoints that are woken at once; the next request or the cron wakes the others. */
const WOKEN_AT_ONCE = 20;
/**
 * An endpoint that was woken is not woken again for so long, unless its sender has meanwhile said
 * that nothing is left: a run ends within it, and a slow receiver must not take the turn of others.
 */
const WOKEN_MS = 30_000;

type SenderServices = PauseServices & ReachableHosts & { db: Db; keys: Keys };

/** What became of a delivery. One whose event is no longer there is skipped. */
type Outcome = { createdAt: Date; eventId: string } & (Attempt | { isGone: true });

/**
 * Returns the function that delivers an endpoint's events in their order, and that returns when it
 * must run again; undefined when nothing waits. The first event that cannot be delivered is tried
 * again, and the others wait for it. There must be one sender for each endpoint.
 */
export function createWebhookSender(services: SenderServices, id: string, now: () => Date) {
  const { db } = services;

  async function runOnce(): Promise<Date | undefined> {
    const [[endpoint], waiting] = await db.batch([
      db
        .select({
          ...getTableColumns(webhookEndpoint),
          organization: organization.name,
          slug: organization.slug,
        })
        .from(webhookEndpoint)
        .leftJoin(organization, eq(organization.id, webhookEndpoint.organizationId))
        .where(and(eq(webhookEndpoint.id, id), isOpen)),
      selectWaiting(db, id),
    ]);
    if (endpoint?.state !== "active") return rest(db, id);
    if (waiting.length === 0) return goOn(db, id, now());
    const { nextTryAt: notBefore } = endpoint;
    if (notBefore && notBefore > now()) {
      await rest(db, id);
      return notBefore;
    }
    const { allowed, until } = await takeDeliveries(db, endpoint, waiting.length, now());
    if (allowed === 0) {
      await rest(db, id, { nextTryAt: until });
      return until;
    }
    const outcomes: Outcome[] = [];
    const secrets = await openSecrets(services.keys, endpoint, now());
    const stopAt = now().getTime() + RUN_MS;
    for (const { createdAt, eventId, event } of waiting.slice(0, allowed)) {
      const made = event
        ? await tryOnce(services, endpoint, event, secrets, now)
        : { isGone: true as const };
      outcomes.push({ createdAt, eventId, ...made });
      if (isFailure(made) || now().getTime() > stopAt) break;
    }
    return store(services, endpoint, outcomes, now());
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

type Endpoint = typeof webhookEndpoint.$inferSelect & {
  organization: string | null;
  slug: string | null;
};

/** Lets an endpoint be woken again. */
async function rest(db: Db, id: string, until: { nextTryAt?: Date } = {}): Promise<undefined> {
  await db
    .update(webhookEndpoint)
    .set({ wokenAt: null, ...until })
    .where(eq(webhookEndpoint.id, id));
}

/** Returns now if an endpoint has more to deliver, and otherwise lets it be woken again. */
async function goOn(db: Db, id: string, now: Date): Promise<Date | undefined> {
  const [row] = await db
    .update(webhookEndpoint)
    .set(awakeWhileWaiting(now))
    .where(eq(webhookEndpoint.id, id))
    .returning({ wokenAt: webhookEndpoint.wokenAt });
  return row?.wokenAt ? now : undefined;
}

/**
 * Keeps an endpoint awake while something waits. It is asked in the statement that writes: an event from before it has
 * woken nobody, because the endpoint was awake, and one from after it will.
 */
function awakeWhileWaiting(now: Date): { wokenAt: SQL } {
  return { wokenAt: sql`iif(${newestWaiting()} IS NULL, NULL, ${now.getTime()})` };
}

/** SQL expression: the time of the newest event that an endpoint has to deliver, or NULL. */
function newestWaiting(): SQL {
  return sql`(
    SELECT ${webhookDelivery.createdAt} FROM ${webhookDelivery}
    WHERE ${webhookDelivery.endpointId} = ${webhookEndpoint.id}
      AND ${webhookDelivery.createdAt} >= ${webhookEndpoint.settledUntil} AND ${webhookDelivery.state} = 'waiting'
    ORDER BY ${webhookDelivery.createdAt} DESC LIMIT 1
  )`;
}

/**
 * Takes as many deliveries of an organization's minute as are left, `wanted` at most, and returns
 * when there are more. What a run then does not use is lost, so an endpoint that fails takes one.
 */
async function takeDeliveries(
  db: Db,
  { organizationId, failingSince }: Endpoint,
  wanted: number,
  now: Date,
): Promise<{ allowed: number; until: Date }> {
  if (organizationId === null) return { allowed: wanted, until: now };
  const { max, windowMs } = WEBHOOK_LIMITS.deliveries;
  const key = `webhook-deliveries|${organizationId}`;
  const taken = Math.min(failingSince ? 1 : wanted, max);
  const isOver = sql`${rateLimit.windowStart} <= ${now.getTime() - windowMs}`;
  const isThis = eq(rateLimit.key, key);
  const [[before], [after]] = await db.batch([
    db.select().from(rateLimit).where(isThis),
    db
      .insert(rateLimit)
      .values({ key, count: taken, windowStart: now })
      .onConflictDoUpdate({
        target: rateLimit.key,
        set: {
          count: sql`iif(${isOver}, ${taken}, min(${max}, ${rateLimit.count} + ${taken}))`,
          windowStart: sql`iif(${isOver}, ${now.getTime()}, ${rateLimit.windowStart})`,
        },
      })
      .returning(),
  ]);
  const start = after?.windowStart ?? now;
  const isSame = before?.windowStart.getTime() === start.getTime();
  const allowed = (after?.count ?? taken) - (isSame ? (before?.count ?? 0) : 0);
  return { allowed, until: new Date(start.getTime() + windowMs) };
}

/** SQL condition: an endpoint is the site's, or its organization is neither disabled nor being deleted. */
const isOpen = and(isNull(organization.disabledAt), isNull(organization.deletionDueAt));

/** Statement that finds the next deliveries of an endpoint with their events, the oldest first. */
function selectWaiting(db: Db, endpointId: string) {
  return db
    .select({
      // In a batch two columns of one name would become one.
      createdAt: sql`${webhookDelivery.createdAt}`.mapWith(webhookDelivery.createdAt).as("at"),
      eventId: webhookDelivery.eventId,
      event: { ...EVENT_COLUMNS, createdAt: auditEvent.createdAt },
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
  services: SenderServices,
  { url, withIpAddress, organizationId }: Endpoint,
  event: Event,
  secrets: string[] | undefined,
  now: () => Date,
): Promise<Attempt> {
  if (!secrets) return failed("unreadable", 0);
  const isOfSite = organizationId === null;
  const body = bodyOf(event, { withIpAddress: isOfSite && withIpAddress, organizationId });
  const delivery = { url, secrets, id: event.id, body, readsAnswer: isOfSite };
  return attempt(delivery, services, now);
}

function isFailure(made: Attempt | { isGone: true } | undefined): boolean {
  return made !== undefined && "isDelivered" in made && !made.isDelivered;
}

/** Stores the outcomes of a run together. Returns when to go on: at once, or when a failed delivery is tried again. */
async function store(
  services: SenderServices,
  endpoint: Endpoint,
  outcomes: Outcome[],
  now: Date,
): Promise<Date | undefined> {
  const { db } = services;
  const last = outcomes.at(-1);
  if (!last) return undefined;
  const stored = [
    storeOutcomes(db, endpoint.id, outcomes, now),
    countDay(db, endpoint.id, outcomes, now),
    fillBin(db, endpoint.id, outcomes, now),
  ] as const;
  if (!isFailure(last)) {
    const settled = { ...settledUpTo(last.createdAt), ...awakeWhileWaiting(now) };
    const [, , , [row]] = await db.batch([
      ...stored,
      db
        .update(webhookEndpoint)
        .set({ ...settled, failingSince: null, tries: 0, nextTryAt: null })
        .where(eq(webhookEndpoint.id, endpoint.id))
        .returning({ wokenAt: webhookEndpoint.wokenAt }),
    ]);
    return row?.wokenAt ? now : undefined;
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
    endpoint: endpoint.id,
    tries,
    status: "status" in last ? last.status : null,
    error: "error" in last ? last.error : null,
  });
  await db.batch([
    ...stored,
    db
      .update(webhookEndpoint)
      .set({ ...failing, nextTryAt: next, wokenAt: null })
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
 * Statement that counts the attempts of a run in the endpoint's day, unless it was deleted
 * meanwhile.
 */
function countDay(db: Db, endpointId: string, outcomes: Outcome[], now: Date) {
  const made = outcomes.filter((one) => "isDelivered" in one);
  const failed = made.filter(isFailure).length;
  const accepted = made.length - failed;
  const row = rowValues(webhookDay, {
    endpointId,
    day: dayNumberOf(now),
    accepted,
    failed,
  });
  return db
    .insert(webhookDay)
    .select(sql`SELECT ${row} FROM ${webhookEndpoint} WHERE ${webhookEndpoint.id} = ${endpointId}`)
    .onConflictDoUpdate({
      target: [webhookDay.endpointId, webhookDay.day],
      set: {
        accepted: sql`${webhookDay.accepted} + ${accepted}`,
        failed: sql`${webhookDay.failed} + ${failed}`,
      },
    });
}

/**
 * Statement that puts the events of a run into the endpoint's bin, if it has one. A trigger keeps
 * the last 20.
 */
function fillBin(db: Db, endpointId: string, outcomes: Outcome[], now: Date) {
  const rows = outcomes.flatMap((one) =>
    "received" in one && one.received
      ? [{ ...one.received, eventId: one.eventId, createdAt: one.createdAt.getTime() }]
      : [],
  );
  const kept = (field: string) => sql`kept.value ->> ${sql.raw(`'${field}'`)}`;
  const row = rowValues(webhookBin, {
    endpointId,
    receivedAt: now,
    eventId: kept("eventId"),
    createdAt: kept("createdAt"),
    sample: null,
    headers: kept("headers"),
    isSigned: kept("isSigned"),
  });
  return db.insert(webhookBin).select(
    sql`SELECT ${row} FROM json_each(${JSON.stringify(rows)}) AS kept
      JOIN ${webhookEndpoint} ON ${webhookEndpoint.id} = ${endpointId} WHERE true`,
  );
}

/**
 * Returns up to where all is settled after a run: the first delivery that waits, or the last one of
 * the run. It is asked in the statement that writes, because an event from before it may have been
 * recorded meanwhile.
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

/**
 * Finds endpoints with something to deliver now, and notes that they are woken, so that the next
 * request finds others. The site and each organization take turns, so that none with many endpoints
 * comes before another's first. After a request (`since`: when it began) those with the newest
 * event come first, and none is found unless an event was written since; the cron takes those that
 * have waited longest.
 */
export async function takeDue(db: Db, now: Date, since: Date | undefined): Promise<string[]> {
  const isAsleep = or(
    isNull(webhookEndpoint.wokenAt),
    lte(webhookEndpoint.wokenAt, new Date(now.getTime() - WOKEN_MS)),
  );
  const isNews =
    since &&
    sql`EXISTS (SELECT 1 FROM ${auditEvent} WHERE ${auditEvent.createdAt} >= ${since.getTime()})`;
  const due = db
    .select({
      id: webhookEndpoint.id,
      owner: sql`${webhookEndpoint.organizationId}`.as("owner"),
      newest: newestWaiting().as("newest"),
    })
    .from(webhookEndpoint)
    .leftJoin(organization, eq(organization.id, webhookEndpoint.organizationId))
    .where(
      and(
        isNews,
        eq(webhookEndpoint.state, "active"),
        or(isNull(webhookEndpoint.nextTryAt), lte(webhookEndpoint.nextTryAt, now)),
        isAsleep,
        isOpen,
      ),
    );
  const order = sql.raw(since ? "DESC" : "ASC");
  const taken = await db
    .update(webhookEndpoint)
    .set({ wokenAt: now })
    .where(
      sql`${webhookEndpoint.id} IN (
        SELECT id FROM (
          SELECT id, newest, row_number() OVER (PARTITION BY owner ORDER BY newest ${order}) AS turn
          FROM (${due}) WHERE newest IS NOT NULL
        ) ORDER BY turn, newest ${order} LIMIT ${WOKEN_AT_ONCE}
      )`,
    )
    .returning({ id: webhookEndpoint.id });
  return taken.map(({ id }) => id);
}
