import { DurableObject } from "cloudflare:workers";
import { connectDb } from "../db/db.server.ts";
import { parseConfig } from "../features/environment/config.ts";
import { createSender, type NextRun } from "../features/mail/sender.server.ts";
import { ringBy } from "./alarm.server.ts";
import { createSiteOutbox } from "./site-mail.server.ts";

/** Key in the object's storage: the time before which it makes no request. */
const HELD_UNTIL = "heldUntil";

/**
 * Sends all mails of the site. The platform runs one instance and one alarm at a time, so no two
 * requests to the mail provider are ever under way together. The mails are rows of the database;
 * here is only when to go on. An alarm that dies with its isolate runs again.
 */
export class MailSender extends DurableObject<Env> {
  private readonly run: () => Promise<NextRun | undefined>;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { outbox } = createSiteOutbox(parseConfig(env), connectDb(env.DB));
    this.run = createSender(outbox, () => new Date());
  }

  /** Starts sending, unless the provider has asked for a pause. */
  async wake(): Promise<void> {
    const heldUntil = this.ctx.storage.kv.get<number>(HELD_UNTIL) ?? 0;
    await ringBy(this.ctx.storage, Math.max(Date.now(), heldUntil));
  }

  override async alarm(): Promise<void> {
    const next = await this.run();
    if (!next) return;
    const at = next.at.getTime();
    if (next.isHeld) {
      this.ctx.storage.kv.put(HELD_UNTIL, at);
      await this.ctx.storage.setAlarm(at);
    } else {
      await ringBy(this.ctx.storage, at);
    }
  }
}
