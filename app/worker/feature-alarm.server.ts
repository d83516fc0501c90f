import { DurableObject } from "cloudflare:workers";
import { connectDb } from "../db/db.server.ts";
import { parseConfig } from "../features/environment/config.ts";
import { SERVER_FEATURES } from "../features.server.ts";
import { ringBy } from "./alarm.server.ts";
import { createHost } from "./host.server.ts";

/** Keys in the object's storage. An object does not know the name that it was found by. */
const ALARM = "alarm";
const ID = "id";

/**
 * Rings the alarms of features. The platform runs one instance for each alarm and id, and one alarm
 * at a time, so the work of an id stays in its order and delays no other. What is to be done are
 * rows of the database; here is only when to go on. An alarm that dies with its isolate runs again.
 */
export class FeatureAlarm extends DurableObject<Env> {
  private host: ReturnType<typeof createHost> | undefined;

  async ring(alarm: string, id: string): Promise<void> {
    this.ctx.storage.kv.put(ALARM, alarm);
    this.ctx.storage.kv.put(ID, id);
    await ringBy(this.ctx.storage, Date.now());
  }

  override async alarm(): Promise<void> {
    const alarm = this.ctx.storage.kv.get<string>(ALARM);
    const id = this.ctx.storage.kv.get<string>(ID);
    // A feature that was taken out leaves alarms behind.
    const work = alarm === undefined ? undefined : SERVER_FEATURES.alarms[alarm];
    if (work === undefined || id === undefined) return;
    this.host ??= createHost(parseConfig(this.env), connectDb(this.env.DB), this.env);
    const next = await work(this.host, id, () => new Date());
    if (next) await ringBy(this.ctx.storage, next.getTime());
  }
}
