import { DurableObject } from "cloudflare:workers";
import { connectDb } from "../db/db.server.ts";
import { parseConfig } from "../features/environment/config.ts";
import { createWebhookSender } from "../features/webhooks/sender.server.ts";
import { ringBy } from "./alarm.server.ts";
import { createSiteMailer } from "./site-mail.server.ts";

/** Key in the object's storage: the id of its endpoint. An object does not know the name that it was found by. */
const ENDPOINT = "endpoint";

/**
 * Delivers the events of one endpoint. The platform runs one instance for each name and one alarm at a time, so the events
 * of an endpoint stay in their order, and one that never answers delays no other. The deliveries are rows of the database;
 * here is only when to go on. An alarm that dies with its isolate runs again.
 */
export class WebhookSender extends DurableObject<Env> {
  private services: Parameters<typeof createWebhookSender>[0] | undefined;

  async wake(endpointId: string): Promise<void> {
    this.ctx.storage.kv.put(ENDPOINT, endpointId);
    await ringBy(this.ctx.storage, Date.now());
  }

  override async alarm(): Promise<void> {
    const endpointId = this.ctx.storage.kv.get<string>(ENDPOINT);
    if (endpointId === undefined) return;
    this.services ??= this.createServices();
    const next = await createWebhookSender(this.services, endpointId, () => new Date())();
    if (next) await ringBy(this.ctx.storage, next.getTime());
  }

  private createServices() {
    const config = parseConfig(this.env);
    const db = connectDb(this.env.DB);
    const { keys, mailer } = createSiteMailer(config, db, this.env);
    const { baseUrl, webhookHosts } = config;
    return { db, keys, mailer, baseUrl, webhookHosts };
  }
}
