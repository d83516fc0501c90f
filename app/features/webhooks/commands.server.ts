import { and, eq, inArray, isNull, ne, type SQL, sql } from "drizzle-orm";
import { type Changed, changeAndRecord, recordAndChange } from "../../db/change.server.ts";
import { countedRequest, ruleOf, secondsToWait } from "../../db/counted-request.ts";
import type { Db } from "../../db/db.server.ts";
import { rowValues } from "../../db/row-values.ts";
import { auditEvent, member, organization } from "../../db/schema/schema.ts";
import type { Keys } from "../../runtime/keys.server.ts";
import { DAY_MS } from "../../values/time.ts";
import { rolesThatCan } from "../access/organization-permissions.ts";
import type { AuditAction } from "../audit/actions.ts";
import { type Actor, eventBy } from "../audit/audit.server.ts";
import type { AuditDetails } from "../audit/changes.ts";
import { type Attempt, attempt, failed, newSecret, type ReachableHosts } from "./attempt.server.ts";
import type { DeliveryKey } from "./delivery-key.ts";
import { actionsOf, type EventType, typesOf } from "./events.ts";
import { MAX_WEBHOOKS, WEBHOOK_LIMITS } from "./limits.ts";
import { receiverOf } from "./receiver-url.ts";
import { type SampleType, sampleOf } from "./samples.ts";
import { openSecrets } from "./sender.server.ts";
import {
  webhookBin,
  webhookDelivery,
  webhookEndpoint,
  webhookSubscription,
} from "./tables.server.ts";
import { isOf, selectWebhooks } from "./webhooks.server.ts";

/** Who changes whose webhooks. */
export type WebhookCall = {
  db: Db;
  keys: Keys;
  actor: Actor;
  owner: "site" | { organizationId: string };
};

type Values = { url: string; events: EventType[]; withIpAddress: boolean };

/** The previous secret signs for so long after a rotation. */
const OVERLAP_MS = DAY_MS;

/** Why a webhook was not made or changed: too many, a URL that another one of the owner has, or too many of today. */
type WebhookRefusal = "full" | "taken" | Limited;

type Limited = { retryAfterSeconds: number };

/**
 * Makes a webhook. Returns its secret, which is shown once, or a refusal. The refusal "full" also
 * stands for an actor who may no longer make one.
 */
export async function createWebhook(
  call: WebhookCall,
  { url, events, withIpAddress }: Values,
): Promise<{ id: string; secret: string } | WebhookRefusal> {
  const { db, keys, actor, owner } = call;
  const now = actor.source.now();
  const id = crypto.randomUUID();
  const secret = newSecret();
  const row = rowValues(webhookEndpoint, {
    id,
    url,
    withIpAddress,
    state: "active",
    version: 1,
    dropped: 0,
    tries: 0,
    secret: await keys.encrypt("webhook", secret),
    previousSecret: null,
    previousSecretUntil: null,
    failingSince: null,
    nextTryAt: null,
    organizationId: owner === "site" ? null : owner.organizationId,
    settledUntil: now,
    madeBy: actor.actorId,
    createdAt: now,
    updatedAt: now,
    makerLeftAt: null,
    wokenAt: null,
  });
  const limit = madeLimit(call, now);
  const most = MAX_WEBHOOKS[owner === "site" ? "site" : "organization"];
  const count = sql`(SELECT count(*) FROM ${webhookEndpoint} WHERE ${isOf(owner)})`;
  const { isChanged, refusals, counted } = await changeAndRecord(db, {
    before: { count: limit.count },
    change: db
      .insert(webhookEndpoint)
      .select(
        sql`SELECT ${row} WHERE ${count} < ${most} AND ${mayChange(call)} AND ${limit.isAllowed} AND NOT ${isTaken(call, url)}`,
      ),
    event: eventOf(call, "webhook.created", {
      receiver: receiverOf(url),
      events: events.join(", "),
    }),
    next: (isMade) => ({ subscribed: subscribe(db, id, events, isMade) }),
    after: { refusals: selectRefusal(call, { url }), counted: limit.read },
  });
  return isChanged ? { id, secret } : (refusalIn(refusals, counted, now) ?? "full");
}

/**
 * Changes a webhook that is still at `version`; false when it was changed meanwhile, or is gone. Who changes its URL
 * becomes its maker.
 */
export async function updateWebhook(
  call: WebhookCall,
  id: string,
  { url, events, withIpAddress, version }: Values & { version: number },
): Promise<boolean | WebhookRefusal> {
  const { db, owner, actor } = call;
  const [before] = await selectWebhooks(db, owner, id);
  if (!before) return false;
  const isMoved = before.url !== url;
  const now = actor.source.now();
  const limit = madeLimit(call, now, isMoved);
  const shown = (values: Values): AuditDetails => ({
    receiver: receiverOf(values.url),
    events: values.events.join(", "),
    ipAddresses: values.withIpAddress ? "yes" : "no",
  });
  const old = { ...before, events: typesOf(JSON.parse(before.actions)) };
  const { isChanged, refusals, counted } = await changeAndRecord(db, {
    before: { count: limit.count },
    change: db
      .update(webhookEndpoint)
      .set({
        url,
        withIpAddress,
        version: version + 1,
        updatedAt: now,
        // Another receiver may work.
        ...(isMoved && { ...NOT_FAILING, madeBy: actor.actorId }),
      })
      .where(
        and(
          isThis(call, id),
          eq(webhookEndpoint.version, version),
          isMoved ? sql`${limit.isAllowed} AND NOT ${isTaken(call, url, id)}` : undefined,
        ),
      ),
    event: eventOf(call, "webhook.updated", {
      before: shown(old),
      after: shown({ url, events, withIpAddress }),
    }),
    next: (isSaved) => ({
      unsubscribed: db
        .delete(webhookSubscription)
        .where(and(eq(webhookSubscription.endpointId, id), isSaved)),
      subscribed: subscribe(db, id, events, isSaved),
    }),
    after: { refusals: selectRefusal(call, { url, id }), counted: limit.read },
  });
  return isChanged || (isMoved && refusalIn(refusals, counted, now)) || false;
}

/** Counts a new webhook or URL, for the statements after it in the batch. */
function madeLimit({ db, actor }: WebhookCall, now: Date, isCounted = true) {
  const condition = isCounted ? sql`true` : sql`false`;
  const key = `webhook-made|${actor.actorId}`;
  return countedRequest(db, key, ruleOf(WEBHOOK_LIMITS.made), now, condition);
}

/** SQL condition: another webhook of the owner has this URL. A receiver gets each event once from an owner. */
function isTaken({ owner }: WebhookCall, url: string, id?: string): SQL {
  const isOther = id === undefined ? undefined : ne(webhookEndpoint.id, id);
  return sql`EXISTS (
    SELECT 1 FROM ${webhookEndpoint} WHERE ${and(isOf(owner), eq(webhookEndpoint.url, url), isOther)}
  )`;
}

/** Statement that reads why a change of this batch was refused. */
function selectRefusal(call: WebhookCall, { url, id }: { url: string; id?: string }) {
  return call.db
    .select({ isTaken: sql<0 | 1>`${isTaken(call, url, id)}`.as("is_taken") })
    .from(sql`(SELECT 1)`);
}

function refusalIn(
  [row]: Awaited<ReturnType<typeof selectRefusal>>,
  [counted]: Parameters<typeof secondsToWait>[0][],
  now: Date,
): WebhookRefusal | undefined {
  if (row?.isTaken) return "taken";
  const retryAfterSeconds = secondsToWait(counted, ruleOf(WEBHOOK_LIMITS.made), now);
  return retryAfterSeconds === undefined ? undefined : { retryAfterSeconds };
}

/** Stops deliveries. Events are kept. False when it was not active, undefined when there is no such webhook. */
export function pauseWebhook(call: WebhookCall, id: string): Promise<boolean | undefined> {
  return change(call, id, "webhook.paused", { state: "paused" }, ["active"]);
}

/** Goes on where deliveries stopped, and makes the actor its maker; the same results. */
export function resumeWebhook(call: WebhookCall, id: string): Promise<boolean | undefined> {
  const values = {
    state: "active" as const,
    dropped: 0,
    ...NOT_FAILING,
    wokenAt: null,
    madeBy: call.actor.actorId,
    makerLeftAt: null,
  };
  return change(call, id, "webhook.resumed", values, ["paused", "failed"]);
}

/** Replaces the secret, to be shown once. The one before signs too for a day; one before that ends at once. */
export async function rotateWebhook(call: WebhookCall, id: string): Promise<string | undefined> {
  const secret = newSecret();
  const isChanged = await change(call, id, "webhook.rotated", {
    secret: await call.keys.encrypt("webhook", secret),
    previousSecret: sql`${webhookEndpoint.secret}`,
    previousSecretUntil: new Date(call.actor.source.now().getTime() + OVERLAP_MS),
  });
  return isChanged ? secret : undefined;
}

/** Deletes a webhook. The cron deletes its deliveries. */
export async function deleteWebhook(call: WebhookCall, id: string): Promise<boolean> {
  const { db, owner } = call;
  const [found] = await selectWebhooks(db, owner, id);
  if (!found) return false;
  const isMine = isThis(call, id);
  const { isChanged } = await recordAndChange(db, {
    when: sql`EXISTS (SELECT 1 FROM ${webhookEndpoint} WHERE ${isMine})`,
    event: eventOf(call, "webhook.deleted", { receiver: receiverOf(found.url) }),
    changes: () => ({ deleted: db.delete(webhookEndpoint).where(isMine) }),
  });
  return isChanged;
}

/** Sends an event again, under its own id: at once, and before those that wait. */
export async function repeatDelivery(
  call: WebhookCall,
  id: string,
  { createdAt, eventId }: DeliveryKey,
): Promise<boolean> {
  const { db } = call;
  const [repeated] = await db.batch([
    db
      .update(webhookDelivery)
      .set({ state: "waiting" })
      .where(and(isDelivery(id, { createdAt, eventId }), isMine(call, id)))
      .returning({ id: webhookDelivery.eventId }),
    db
      .update(webhookEndpoint)
      .set({
        settledUntil: sql`min(${webhookEndpoint.settledUntil}, ${createdAt.getTime()})`,
        nextTryAt: null,
      })
      .where(
        and(
          isThis(call, id),
          sql`EXISTS (SELECT 1 FROM ${webhookDelivery} WHERE ${isDelivery(id, { createdAt, eventId })})`,
        ),
      ),
  ]);
  return repeated.length > 0;
}

/**
 * Skips a waiting event, so that the next ones follow. False when it is not waiting, undefined when
 * there is no such webhook.
 */
export async function skipDelivery(
  call: WebhookCall,
  id: string,
  key: DeliveryKey,
): Promise<boolean | undefined> {
  const { db, owner } = call;
  const [found] = await selectWebhooks(db, owner, id);
  if (!found) return undefined;
  const { isChanged } = await changeAndRecord(db, {
    change: db
      .update(webhookDelivery)
      .set({ state: "skipped" })
      .where(and(isDelivery(id, key), eq(webhookDelivery.state, "waiting"), isMine(call, id))),
    event: eventOf(
      call,
      "webhook.skipped",
      sql<string>`json_object('receiver', ${receiverOf(found.url)}, 'events', (
        SELECT ${auditEvent.action} FROM ${auditEvent}
        WHERE ${auditEvent.createdAt} = ${key.createdAt.getTime()} AND ${auditEvent.id} = ${key.eventId}
      ))`,
    ),
    next: (isSkipped) => ({
      going: db
        .update(webhookEndpoint)
        .set(NOT_FAILING)
        .where(and(eq(webhookEndpoint.id, id), isSkipped)),
    }),
  });
  return isChanged;
}

/**
 * Sends a signed sample of a type at once, also while the webhook is paused. Returns the result;
 * the seconds to wait after too many samples; "left" when the maker has left and the webhook was
 * not resumed since; undefined when there is no such webhook.
 */
export async function sendSample(
  call: WebhookCall,
  id: string,
  type: SampleType,
  hosts: ReachableHosts,
): Promise<Attempt | Limited | "left" | undefined> {
  const { db, keys, actor, owner } = call;
  const { now } = actor.source;
  const rule = ruleOf(WEBHOOK_LIMITS.samples);
  const limit = countedRequest(db, `webhook-sample|${actor.actorId}`, rule, now());
  const [, [counted], [endpoint]] = await db.batch([
    limit.count,
    limit.read,
    db
      .select({
        url: webhookEndpoint.url,
        secret: webhookEndpoint.secret,
        previousSecret: webhookEndpoint.previousSecret,
        previousSecretUntil: webhookEndpoint.previousSecretUntil,
        makerLeftAt: webhookEndpoint.makerLeftAt,
      })
      .from(webhookEndpoint)
      .where(isThis(call, id)),
  ]);
  if (!endpoint) return undefined;
  if (endpoint.makerLeftAt) return "left";
  const retryAfterSeconds = secondsToWait(counted, rule, now());
  if (retryAfterSeconds) return { retryAfterSeconds };
  const secrets = await openSecrets(keys, endpoint, now());
  if (!secrets) return failed("unreadable", 0);
  const event = { id: crypto.randomUUID(), at: now() };
  const body = sampleOf(type, event);
  const sample = { url: endpoint.url, secrets, id: event.id, body, readsAnswer: owner === "site" };
  const { received, ...made } = await attempt(sample, hosts, now);
  if (received) {
    const row = rowValues(webhookBin, {
      ...received,
      endpointId: id,
      receivedAt: event.at,
      eventId: event.id,
      createdAt: event.at,
      sample: type,
    });
    await db
      .insert(webhookBin)
      .select(sql`SELECT ${row} FROM ${webhookEndpoint} WHERE ${isThis(call, id)}`);
  }
  return made;
}

const NOT_FAILING = { failingSince: null, tries: 0, nextTryAt: null };

type Set = Parameters<ReturnType<Db["update"]>["set"]>[0];

/** Changes a webhook. Returns false if it is in none of the given states, and undefined if it does not exist. */
async function change(
  call: WebhookCall,
  id: string,
  action: AuditAction,
  values: Set,
  states: (typeof webhookEndpoint.$inferSelect)["state"][] = ["active", "paused", "failed"],
): Promise<boolean | undefined> {
  const { db, owner, actor } = call;
  const [found] = await selectWebhooks(db, owner, id);
  if (!found) return undefined;
  const { isChanged } = await changeAndRecord(db, {
    change: db
      .update(webhookEndpoint)
      .set({ ...values, updatedAt: actor.source.now() })
      .where(and(isThis(call, id), inArray(webhookEndpoint.state, states))),
    event: eventOf(call, action, { receiver: receiverOf(found.url) }),
  });
  return isChanged;
}

function subscribe(db: Db, id: string, events: EventType[], isChanged: Changed) {
  const row = rowValues(webhookSubscription, { endpointId: id, action: sql`value` });
  const actions = JSON.stringify(actionsOf(events));
  return db
    .insert(webhookSubscription)
    .select(sql`SELECT ${row} FROM json_each(${actions}) WHERE ${isChanged}`);
}

function eventOf(
  { actor, owner }: WebhookCall,
  action: AuditAction,
  details: AuditDetails | SQL<string>,
) {
  return eventBy(actor, action, {
    details,
    ...(owner !== "site" && {
      target: { type: "organization" as const, id: owner.organizationId },
    }),
  });
}

/** SQL condition: an endpoint is this one, and the actor may change it. */
function isThis(call: WebhookCall, id: string): SQL | undefined {
  return and(eq(webhookEndpoint.id, id), isOf(call.owner), mayChange(call));
}

/** The same for a statement about another table. */
function isMine(call: WebhookCall, id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${webhookEndpoint} WHERE ${isThis(call, id)})`;
}

/**
 * SQL condition: the actor may change the owner's webhooks now. It is asked in the statement that writes, so that an
 * ownership that another request ends at the same time counts no longer. The site's permission is asked by the route.
 */
function mayChange({ actor, owner }: WebhookCall): SQL {
  if (owner === "site") return sql`true`;
  const isOwner = and(
    eq(organization.id, owner.organizationId),
    eq(member.userId, actor.actorId),
    inArray(member.role, rolesThatCan(["webhook", "update"])),
    isNull(organization.disabledAt),
    isNull(organization.deletionDueAt),
  );
  return sql`EXISTS (
    SELECT 1 FROM ${organization} JOIN ${member} ON ${member.organizationId} = ${organization.id} WHERE ${isOwner}
  )`;
}

function isDelivery(endpointId: string, { createdAt, eventId }: DeliveryKey): SQL | undefined {
  return and(
    eq(webhookDelivery.endpointId, endpointId),
    eq(webhookDelivery.createdAt, createdAt),
    eq(webhookDelivery.eventId, eventId),
  );
}
