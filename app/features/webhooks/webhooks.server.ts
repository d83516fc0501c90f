import { and, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { auditEvent, user } from "../../db/schema/schema.ts";
import { behind, orderBy } from "../../lists/query/page.server.ts";
import { afterDelivery, type DeliveryKey } from "./delivery-key.ts";
import { bodyOf, typeOf, typesOf } from "./events.ts";
import { webhookDelivery, webhookEndpoint, webhookSubscription } from "./tables.server.ts";

/** Whose webhooks: the site's, or those of an organization, whose id may be an SQL expression. */
export type WebhookOwner = "site" | { organizationId: string | SQL<string> };

/** Deliveries of a page. */
const DELIVERIES_SHOWN = 25;

/** SQL condition: an endpoint is the owner's. */
export function isOf(owner: WebhookOwner) {
  return owner === "site"
    ? isNull(webhookEndpoint.organizationId)
    : eq(webhookEndpoint.organizationId, owner.organizationId);
}

/** Statement that finds the webhooks of an owner, or one of them, without their secrets; the newest first. */
export function selectWebhooks(db: Db, owner: WebhookOwner, id?: string) {
  return db
    .select({
      id: webhookEndpoint.id,
      url: webhookEndpoint.url,
      withIpAddress: webhookEndpoint.withIpAddress,
      state: webhookEndpoint.state,
      failingSince: webhookEndpoint.failingSince,
      nextTryAt: webhookEndpoint.nextTryAt,
      dropped: webhookEndpoint.dropped,
      makerLeftAt: webhookEndpoint.makerLeftAt,
      version: webhookEndpoint.version,
      createdAt: webhookEndpoint.createdAt,
      actions: sql<string>`(
        SELECT json_group_array(${webhookSubscription.action}) FROM ${webhookSubscription}
        WHERE ${webhookSubscription.endpointId} = ${webhookEndpoint.id}
      )`.as("actions"),
      maker: user.name,
    })
    .from(webhookEndpoint)
    .leftJoin(user, eq(user.id, webhookEndpoint.madeBy))
    .where(and(isOf(owner), id === undefined ? undefined : eq(webhookEndpoint.id, id)))
    .orderBy(desc(webhookEndpoint.createdAt), desc(webhookEndpoint.id));
}

type Row = Awaited<ReturnType<typeof selectWebhooks>>[number];

/** A webhook as the screens show it. */
export type ShownWebhook = ReturnType<typeof shownWebhook>;

/** Returns a webhook for a screen. Readers who may not change it see the host alone: some URLs hold a secret. */
export function shownWebhook({ actions, url, ...row }: Row, mayChange: boolean) {
  const types = typesOf(JSON.parse(actions));
  return { ...row, url: mayChange ? url : `${new URL(url).origin}/…`, types };
}

/**
 * Finds the newest deliveries of a webhook, or those before a delivery, with what was or will be
 * sent. IP addresses and the text of answers are for the site's managers.
 */
export async function findDeliveries(
  db: Db,
  { id, withIpAddress }: { id: string; withIpAddress: boolean },
  { isOfSite, before }: { isOfSite: boolean; before: DeliveryKey | undefined },
) {
  const { createdAt, eventId } = webhookDelivery;
  const newest = { by: createdAt, direction: "desc" } as const;
  const rows = await db
    .select({ delivery: webhookDelivery, event: auditEvent })
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
  return {
    hasMore: rows.length > DELIVERIES_SHOWN,
    deliveries: rows.slice(0, DELIVERIES_SHOWN).map(({ delivery, event }) => ({
      createdAt: delivery.createdAt,
      eventId: delivery.eventId,
      state: delivery.state,
      tries: delivery.tries,
      triedAt: delivery.triedAt,
      durationMs: delivery.durationMs,
      status: delivery.status,
      error: delivery.error,
      answer: isOfSite ? delivery.answer : null,
      type: event ? typeOf(event.action, event.details) : undefined,
      body: event && bodyOf(event, isOfSite && withIpAddress),
    })),
  };
}

export type ShownDelivery = Awaited<ReturnType<typeof findDeliveries>>["deliveries"][number];
