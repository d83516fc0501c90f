import { and, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { user } from "../../db/schema/schema.ts";
import { typesOf } from "./events.ts";
import { BIN_URL } from "./receiver-url.ts";
import { webhookEndpoint, webhookSubscription } from "./tables.server.ts";

/** Whose webhooks: the site's, or those of an organization, whose id may be an SQL expression. */
export type WebhookOwner = "site" | { organizationId: string | SQL<string> };

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
      organizationId: webhookEndpoint.organizationId,
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
  const isBin = url === BIN_URL;
  return { ...row, url: mayChange ? url : `${new URL(url).origin}/…`, isBin, types };
}
