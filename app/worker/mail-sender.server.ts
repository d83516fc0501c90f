import { DurableObject } from "cloudflare:workers";
import { createDb } from "../db/db.server.ts";
import { parseConfig } from "../features/environment/config.ts";
import { createOutbox } from "../features/mail/outbox.server.ts";
import { createSender, type NextRun } from "../features/mail/sender.server.ts";
import { mailBrand } from "../features/site-settings/brand/shown-brand.ts";
import { createPublicSettings } from "../features/site-settings/public-settings.server.ts";
import { createKeys } from "../runtime/keys.server.ts";

/** Name of the only instance. */
export const THE_SENDER = "site";

/** Key in the object's storage: the time before which it makes no request. */
const HELD_UNTIL = "heldUntil";

/**
 * Sends all mails of the site. The platform runs one instance and one alarm at a time, so no two requests to the mail
 * provider are ever under way together. The mails are rows of the database; here is only when to go on. An alarm that dies
 * with its isolate runs again.
 */
export class MailSender extends DurableObject<Env> {
  private readonly run: () => Promise<NextRun | undefined>;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const config = parseConfig(env);
    const { adminEmails, baseUrl, mail, secret, previousSecrets } = config;
    const db = createDb(env.DB);
    const keys = createKeys(secret, previousSecrets);
    const settings = createPublicSettings(db, config);
    const readBrand = async (now: Date) => mailBrand((await settings.current(now)).brand, baseUrl);
    const outbox = createOutbox({ db, keys, adminEmails, baseUrl, readBrand, ...mail });
    this.run = createSender(outbox, () => new Date());
  }

  /** Starts sending, unless the provider has asked for a pause. */
  async wake(): Promise<void> {
    const heldUntil = this.ctx.storage.kv.get<number>(HELD_UNTIL) ?? 0;
    await this.runBy(Math.max(Date.now(), heldUntil));
  }

  override async alarm(): Promise<void> {
    const next = await this.run();
    if (!next) return;
    const at = next.at.getTime();
    if (next.isHeld) {
      this.ctx.storage.kv.put(HELD_UNTIL, at);
      await this.ctx.storage.setAlarm(at);
    } else {
      await this.runBy(at);
    }
  }

  /** Sets the alarm, unless it rings before that anyway: a mail that was written during a run sets it too. */
  private async runBy(at: number): Promise<void> {
    const { storage } = this.ctx;
    const alarm = await storage.getAlarm();
    if (alarm === null || alarm > at) await storage.setAlarm(at);
  }
}
