import { eq, isNotNull, isNull, sql } from "drizzle-orm";
import { ownRows } from "../../db/own-rows.server.ts";
import { readOf } from "../../db/read.server.ts";
import type { ServerFacts } from "../../feature.server.ts";
import { isolate } from "../../ui/text/isolate.ts";
import { EVENT_API } from "./events-api.ts";
import type { webhooks } from "./feature.ts";
import { emptyBins, pruneDeliveries, resealSecrets } from "./prune-deliveries.server.ts";
import { receiverOf } from "./receiver-url.ts";
import { createWebhookSender } from "./sender.server.ts";
import { webhookEndpoint } from "./tables.server.ts";
import { wakeAfterWrite, wakeDue } from "./wake.server.ts";

export const webhooksServer = {
  api: EVENT_API,
  minute: [{ name: "wake webhooks", run: wakeDue }],
  hour: [
    { name: "prune webhook deliveries", run: ({ db }, now) => pruneDeliveries(db, now) },
    { name: "empty webhook bins", run: ({ db }, now) => emptyBins(db, now) },
    { name: "reseal webhook secrets", run: ({ db, keys }) => resealSecrets(db, keys) },
  ],
  afterWrite: wakeAfterWrite,
  alarms: {
    webhook: ({ db, keys, mailer, config }, id, now) => {
      const { baseUrl, webhookHosts, isLoopback } = config;
      return createWebhookSender(
        { db, keys, mailer, baseUrl, webhookHosts, isLoopback },
        id,
        now,
      )();
    },
  },
  ownData: {
    webhooks: ({ id }) =>
      ownRows(webhookEndpoint, {
        where: eq(webhookEndpoint.madeBy, id),
        columns: ["url", "organizationId", "createdAt"],
        // The host alone: the webhook stays the site's or the organization's, and its URL may hold a secret.
        show: ({ url, ...one }) => ({ receiver: receiverOf(url), ...one }),
      }),
  },
  setUp: { webhook: sql`EXISTS (SELECT 1 FROM ${webhookEndpoint})` },
  attention: {
    webhook: readOf(
      (db) =>
        db
          .select({ id: webhookEndpoint.id })
          .from(webhookEndpoint)
          .where(
            sql`${isNull(webhookEndpoint.organizationId)} AND ${eq(webhookEndpoint.state, "failed")}`,
          )
          .limit(1),
      ([failed]) => failed && {},
    ),
    "webhook-maker": readOf(
      (db) =>
        db
          .select({ url: webhookEndpoint.url })
          .from(webhookEndpoint)
          .where(
            sql`${isNull(webhookEndpoint.organizationId)} AND ${isNotNull(webhookEndpoint.makerLeftAt)}`,
          )
          .limit(1),
      ([left]) => left && { receiver: receiverOf(left.url) },
    ),
  },
  mails: {
    "webhook-failed": {
      write: ({ receiver, organization, link }, { t }) => {
        const values = { receiver: isolate(receiver) };
        const text =
          organization === null
            ? t("webhookFailed.site", values)
            : t("webhookFailed.organization", { ...values, organization: isolate(organization) });
        return {
          subject: t("webhookFailed.subject", values),
          preview: text,
          title: t("webhookFailed.title"),
          paragraphs: [text, t("webhookFailed.resume")],
          link: { label: t("webhookFailed.open"), to: link },
        };
      },
      samples: [
        {
          receiver: "hooks.example.org",
          organization: null,
          link: "https://gatehouse.example/manager",
        },
        {
          receiver: "hooks.example.org",
          organization: "Nyumbani Cooperative",
          link: "https://gatehouse.example/app/organizations/nyumbani/webhooks/7fH2",
        },
      ],
    },
  },
} satisfies ServerFacts<typeof webhooks>;
