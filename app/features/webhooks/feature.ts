import type texts from "../../../locales/en/webhooks.json";
import { type FeatureFacts, messageOf, textsOf } from "../../feature.ts";
import { causedByUsers } from "../mail/mail-rule.ts";

const SETTINGS = { to: "/manager/settings/webhooks", needs: ["settings", "read"] } as const;

/** Events for the systems of others, sent to their endpoints and read as a stream. */
export const webhooks = {
  name: "webhooks",
  needs: ["program-news"],
  texts: {
    webhooks: textsOf<typeof texts>(),
  },
  navigation: [
    { ...SETTINGS, in: "settings", label: "settings:nav.webhooks" },
    {
      ...SETTINGS,
      in: "pages",
      label: "search:pages.webhooks",
      icon: "webhook",
      words: "search:words.webhooks",
    },
  ],
  organizationPermissions: { webhook: { update: ["owner"] } },
  audit: {
    "webhook.created": { icon: "webhook", fields: ["receiver", "events"] },
    "webhook.updated": { icon: "webhook", fields: ["ipAddresses"] },
    "webhook.paused": { icon: "webhook" },
    "webhook.resumed": { icon: "webhook" },
    "webhook.rotated": { icon: "webhook" },
    "webhook.skipped": { icon: "webhook" },
    "webhook.deleted": { icon: "trash-2" },
  },
  mails: {
    /** A webhook was paused after a day without success. `receiver` is its host; the link opens its page. */
    "webhook-failed": {
      rule: causedByUsers(10, 8),
      message: messageOf<{ receiver: string; organization: string | null; link: string }>(),
    },
  },
  news: {
    webhooks: {
      kinds: ["webhook-made", "webhook-moved", "webhook-paused"],
      needs: ["webhook", "update"],
      organization: "/app/organizations/:slug/webhooks",
      site: "/manager/settings/webhooks",
    },
  },
  setUp: {
    webhook: { ...SETTINGS, label: "manager:setUp.webhook", hint: "manager:setUp.webhookHint" },
  },
  attention: {
    /** A webhook of the site was paused because its receiver failed for a day. */
    webhook: SETTINGS,
    /** One was paused because its maker left. */
    "webhook-maker": SETTINGS,
  },
  panels: {
    "organization-webhooks": { in: "organizationSettings", needs: ["webhook", "update"] },
  },
} as const satisfies FeatureFacts;
