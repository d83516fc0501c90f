import { DurableObject } from "cloudflare:workers";
import { createDb } from "../db/db.server.ts";
import { parseConfig } from "../features/environment/config.ts";
import { createMailer, createOutbox } from "../features/mail/outbox.server.ts";
import { mailBrand } from "../features/site-settings/brand/shown-brand.ts";
import { createPublicSettings } from "../features/site-settings/public-settings.server.ts";
import { createWebhookSender } from "../features/webhooks/sender.server.ts";
import { createKeys } from "../runtime/keys.server.ts";
import { THE_SENDER } from "./mail-sender.server.ts";

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
    await this.runBy(Date.now());
  }

  override async alarm(): Promise<void> {
    const endpointId = this.ctx.storage.kv.get<string>(ENDPOINT);
    if (endpointId === undefined) return;
    this.services ??= this.createServices();
    const next = await createWebhookSender(this.services, endpointId, () => new Date())();
    if (next) await this.runBy(next.getTime());
  }

  private createServices() {
    const config = parseConfig(this.env);
    const { adminEmails, baseUrl, secret, previousSecrets } = config;
    const { webhookSecret: _, ...mail } = config.mail;
    const db = createDb(this.env.DB);
    const keys = createKeys(secret, previousSecrets);
    const settings = createPublicSettings(db, config);
    const readBrand = async (now: Date) => mailBrand((await settings.current(now)).brand, baseUrl);
    const mailer = createMailer(
      createOutbox({ db, keys, adminEmails, baseUrl, readBrand, ...mail }),
      {
        wakeSender: () => this.env.MAIL_SENDER.getByName(THE_SENDER).wake(),
        webhookSecret: undefined,
      },
    );
    return { db, keys, mailer, baseUrl };
  }

  /** Sets the alarm, unless it rings before that anyway: an event that was recorded during a run sets it too. */
  private async runBy(at: number): Promise<void> {
    const { storage } = this.ctx;
    const alarm = await storage.getAlarm();
    if (alarm === null || alarm > at) await storage.setAlarm(at);
  }
}
