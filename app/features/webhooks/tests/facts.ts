import {
  appScreen,
  closed,
  managerScreen,
  PROGRAM_CALL,
  READ_BY_AUDITOR,
} from "../../../../tests/support/access-rows.ts";
import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";
import { screensOf } from "../../../../tests/support/screen.ts";
import type { Gatehouse } from "../../../../tests/support/worker.ts";
import { OWN_WEBHOOK_ACTS } from "../acts.ts";
import { WebhookForm, WebhooksForm } from "../input.ts";
import { anEndpoint, someEvents } from "./receiver.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const OF_SITE = "/manager/settings/webhooks";
const OF_ORGANIZATION = "/app/organizations/:slug/webhooks";
const MADE = { intent: "create-webhook", url: "https://hooks.example.com", groups: "all" };
const UPDATED = {
  intent: "update-webhook",
  url: "https://hooks.example.com",
  groups: "all",
  version: "1",
};

type Ids = { slug: string; webhook: string; ownWebhook: string };

export const facts = {
  access: {
    [OF_ORGANIZATION]: appScreen(404, 415, closed("/app/organizations/nothing-has-this/webhooks")),
    [`${OF_ORGANIZATION}/:id`]: appScreen(
      404,
      415,
      closed("/app/organizations/nothing-has-this/webhooks/nothing-has-this"),
    ),
    [OF_SITE]: managerScreen(200, 415, READ_BY_AUDITOR),
    [`${OF_SITE}/:id`]: managerScreen(404, 415, READ_BY_AUDITOR),
    "/api/v1/events": PROGRAM_CALL,
  },
  managers: {
    [OF_SITE]: ["admin", "auditor"],
    [`${OF_SITE}/:id`]: ["admin", "auditor"],
  },
  commands: [
    ["make a webhook", OF_SITE, { intent: "create-webhook", url: "x" }, ["admin"]],
    ["delete a webhook", `${OF_SITE}/none`, { intent: "delete-webhook" }, ["admin"]],
  ],
  forms: {
    [OF_ORGANIZATION]: WebhooksForm,
    [`${OF_ORGANIZATION}/:id`]: WebhookForm,
    [OF_SITE]: WebhooksForm,
    [`${OF_SITE}/:id`]: WebhookForm,
    // For keys alone, which no session of a browser is.
    "/api/v1/events": [],
  },
  fields: () => ({
    // No receiver, so that nothing is sent anywhere.
    url: "https://10.0.0.1/",
    bin: "yes",
    events: "user.created",
    groups: "all",
    full: "user",
    sample: "user.created",
    ipAddress: "yes",
    delivery: "1.any",
  }),
  acts: {
    [OF_SITE]: [["settings.update", MADE]],
    [`${OF_SITE}/:id`]: [
      ["settings.update", UPDATED],
      ["settings.update", { intent: "pause-webhook" }],
      ["settings.update", { intent: "resume-webhook" }],
      ["settings.update", { intent: "rotate-webhook" }],
      ["settings.update", { intent: "delete-webhook" }],
      ["settings.update", { intent: "sample-webhook" }],
      ["settings.update", { intent: "repeat-delivery", delivery: "1.x" }],
      ["settings.update", { intent: "skip-delivery", delivery: "1.x" }],
    ],
    [OF_ORGANIZATION]: [[OWN_WEBHOOK_ACTS["create-webhook"], MADE]],
    [`${OF_ORGANIZATION}/:id`]: [
      [OWN_WEBHOOK_ACTS["update-webhook"], UPDATED],
      [OWN_WEBHOOK_ACTS["pause-webhook"], { intent: "pause-webhook" }],
      [OWN_WEBHOOK_ACTS["resume-webhook"], { intent: "resume-webhook" }],
      [OWN_WEBHOOK_ACTS["rotate-webhook"], { intent: "rotate-webhook" }],
      [OWN_WEBHOOK_ACTS["delete-webhook"], { intent: "delete-webhook" }],
      [OWN_WEBHOOK_ACTS["sample-webhook"], { intent: "sample-webhook" }],
      [OWN_WEBHOOK_ACTS["repeat-delivery"], { intent: "repeat-delivery", delivery: "1.x" }],
      [OWN_WEBHOOK_ACTS["skip-delivery"], { intent: "skip-delivery", delivery: "1.x" }],
    ],
  },
  changes: {
    "an organization": [OF_ORGANIZATION, `${OF_ORGANIZATION}/:id`],
    "the back-office": [OF_SITE, `${OF_SITE}/:id`],
    nothing: ["/api/v1/events"],
  },
  changedByOwner: [OF_ORGANIZATION, `${OF_ORGANIZATION}/:id`],
  tables: ["webhook_endpoint"],
  async urls(gatehouse, organization) {
    // No receiver, and nothing is sent before somebody resumes them.
    const url = "https://10.0.0.1/";
    const state = "paused";
    const { row: ofSite } = await anEndpoint(gatehouse, url, ["team.created"], { state });
    const ids: Record<string, string> = { "/settings/webhooks/:id": ofSite.id };
    if (!organization) return ids;
    const { row: own } = await anEndpoint(gatehouse, url, ["team.created"], {
      organization_id: organization.id,
      state,
    });
    return { ...ids, "/:slug/webhooks/:id": own.id };
  },
  async seed(gatehouse, { organization: { id, slug } }): Promise<Ids> {
    const own = "https://hooks.nyumbani-cooperative.example.org/a/rather/long/path/to/the/receiver";
    return {
      slug,
      webhook: await addWebhook(
        gatehouse,
        null,
        "https://siem.example.com/events?source=gatehouse",
      ),
      ownWebhook: await addWebhook(gatehouse, id, own),
    };
  },
  screens: [
    ...screensOf<Ids>("owner", {
      "organization-webhooks": ({ slug }) => `/app/organizations/${slug}/webhooks`,
      "organization-webhook": ({ slug, ownWebhook }) =>
        `/app/organizations/${slug}/webhooks/${ownWebhook}`,
    }),
    ...screensOf<Ids>("admin", {
      webhooks: OF_SITE,
      "new-webhook": `${OF_SITE}?state=new`,
      webhook: ({ webhook }) => `${OF_SITE}/${webhook}`,
      "edit-webhook": ({ webhook }) => `${OF_SITE}/${webhook}?state=edit`,
    }),
  ],
  async translated({ gatehouse, manager, organization, ofManager, ofUser }) {
    const add = async (organizationId: string | null) => {
      const { row } = await anEndpoint(
        gatehouse,
        "https://example.com/in",
        ["user.created", "team.created"],
        { organization_id: organizationId, state: "failed", made_by: manager.id },
      );
      return row.id;
    };
    const ofSite = `${OF_SITE}/${await add(null)}`;
    const all = `/app/organizations/${organization.slug}/webhooks`;
    const own = `${all}/${await add(organization.id)}`;
    await someEvents(gatehouse, 2, { actor_id: null, target_type: null, target_id: null });
    await gatehouse.d1.exec("UPDATE webhook_endpoint SET dropped = 3");
    await gatehouse.d1.exec(
      "UPDATE webhook_delivery SET tries = 3, tried_at = 1, error = 'timeout', duration_ms = 5000",
    );
    const bad = { intent: "create-webhook", url: "x" };
    return [
      ["app, webhooks", ofUser, (browser) => browser.get(all)],
      ["app, a webhook", ofUser, (browser) => browser.get(own)],
      ["app, a bad webhook", ofUser, (browser) => browser.submit(`${all}?state=new`, bad)],
      ["manager, webhooks", ofManager, (browser) => browser.get(OF_SITE)],
      ["manager, a new webhook", ofManager, (browser) => browser.get(`${OF_SITE}?state=new`)],
      ["manager, a webhook", ofManager, (browser) => browser.get(ofSite)],
      [
        "manager, a webhook with a new secret",
        ofManager,
        (browser) => browser.submit(ofSite, { intent: "rotate-webhook" }),
      ],
    ];
  },
  limits: {
    nobodyElse: {
      "WEBHOOK_LIMITS.samples": "Only the user's own samples use it up.",
      "WEBHOOK_LIMITS.made": "Only the user's own webhooks use it up.",
      "WEBHOOK_LIMITS.deliveries":
        "Only what happens in the organization uses it up, and its own events wait for nothing but their turn.",
    },
  },
  personal: ["webhook_endpoint"],
  know: (insert, { id, at, key }) =>
    insert("webhook_endpoint", {
      id: key("webhook"),
      url: "https://hooks.example.com/in",
      secret: key("webhook-secret"),
      state: "paused",
      made_by: id,
      created_at: at,
      updated_at: at,
    }),
  leftOpen: {
    async leave(gatehouse, { user, organization }) {
      const url = "https://hooks.example.com/in";
      const own = { organization_id: organization.id, made_by: user.id };
      const { row: ofOrganization } = await anEndpoint(gatehouse, url, ["team.created"], own);
      const ofSite = await anEndpoint(
        gatehouse,
        "https://hooks.example.com/site",
        ["team.created"],
        {
          made_by: user.id,
        },
      );
      return { webhook: ofOrganization.id, siteWebhook: ofSite.row.id };
    },
    probes: {
      "the organization's webhook they made": {
        works: (gatehouse, { webhook }) => sends(gatehouse, webhook),
        endsBy: [
          "a ban",
          "a removal from the organization",
          "a demotion in the organization",
          "the grace period of a deletion",
          "the erasure of the account",
        ],
      },
      "the site's webhook they made": {
        works: (gatehouse, { siteWebhook }) => sends(gatehouse, siteWebhook),
        endsBy: [
          "a ban",
          "a demotion",
          "a demotion, and the role once more",
          "the grace period of a deletion",
          "the erasure of the account",
        ],
      },
    },
  },
} satisfies FeatureTests<Ids>;

async function sends({ d1 }: Gatehouse, id = ""): Promise<boolean> {
  const row = await d1
    .prepare("SELECT 1 FROM webhook_endpoint WHERE id = ? AND state = 'active'")
    .bind(id)
    .first();
  return row !== null;
}

/** Adds a webhook whose last event was not accepted, and a paused one. Returns the id of the first. */
async function addWebhook(
  gatehouse: Gatehouse,
  organizationId: string | null,
  url: string,
): Promise<string> {
  const now = Date.now();
  const target = organizationId
    ? { action: "team.created", target_type: "organization", target_id: organizationId }
    : { action: "user.banned", details: '{"reason":"Spam reason"}' };
  const own = { organization_id: organizationId, created_at: now - DAY_MS };
  const { row } = await anEndpoint(gatehouse, url, [target.action, "member.added"], own);
  await anEndpoint(gatehouse, `${url}/old`, ["member.added"], { ...own, state: "paused" });
  await someEvents(gatehouse, 3, { ...target, created_at: now - HOUR_MS });
  await gatehouse.d1.batch([
    gatehouse.d1
      .prepare(
        `UPDATE webhook_delivery SET state = 'delivered', tries = 1, tried_at = created_at, status = 202, duration_ms = 84,
           answer = '{"ok":true}' WHERE endpoint_id = ?`,
      )
      .bind(row.id),
    gatehouse.d1
      .prepare(
        `UPDATE webhook_delivery SET state = 'waiting', tries = 4, status = NULL, error = 'timeout', duration_ms = 5000
         WHERE endpoint_id = ?1 AND event_id = (SELECT max(event_id) FROM webhook_delivery WHERE endpoint_id = ?1)`,
      )
      .bind(row.id),
    gatehouse.d1
      .prepare(
        "UPDATE webhook_endpoint SET failing_since = ?, tries = 4, next_try_at = ? WHERE id = ?",
      )
      .bind(now - HOUR_MS, now + HOUR_MS, row.id),
  ]);
  return row.id;
}
