import type { Db } from "../../db/db.server.ts";
import type { Host } from "../../feature.server.ts";
import { describeError, log } from "../../runtime/log.ts";
import { takeDue } from "./sender.server.ts";
import { webhookEndpoint } from "./tables.server.ts";

/** An isolate that found no webhook asks again after so long. The cron wakes those that were made meanwhile. */
const NONE_MS = 30_000;

/** When an isolate last found that a database has no webhook. */
const foundNoneAt = new WeakMap<Db, number>();

/** Wakes the senders of endpoints with something to deliver. */
export function wakeDue(host: Host, now: Date): Promise<void> {
  return wake(host, now);
}

/** The same after a request, for events that were written since it began, unless there is no webhook. */
export async function wakeAfterWrite(host: Host, since: Date, now: Date): Promise<void> {
  const { db } = host;
  const noneAt = foundNoneAt.get(db);
  if (noneAt !== undefined && now.getTime() - noneAt < NONE_MS) return;
  try {
    const [known] = await db.select({ id: webhookEndpoint.id }).from(webhookEndpoint).limit(1);
    if (!known) {
      foundNoneAt.set(db, now.getTime());
      return;
    }
  } catch (error) {
    log("warn", "webhook.sender_not_reached", describeError(error));
    return;
  }
  await wake(host, now, since);
}

/** Makes the next request ask whether there is a webhook, after one was made in this isolate. */
export function forgetNoWebhooks(db: Db): void {
  foundNoneAt.delete(db);
}

/** It never throws: what it misses, the next run of the cron does. */
async function wake({ db, ring }: Host, now: Date, since?: Date): Promise<void> {
  try {
    const ids = await takeDue(db, now, since);
    await Promise.all(ids.map((id) => ring("webhook", id)));
  } catch (error) {
    log("warn", "webhook.sender_not_reached", describeError(error));
  }
}
