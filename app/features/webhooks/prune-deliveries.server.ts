import { lt, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import type { Keys } from "../../runtime/keys.server.ts";
import { log } from "../../runtime/log.ts";
import { DAY_MS, dayNumberOf } from "../../values/time.ts";
import { BIN_MS, DELIVERY_DAYS } from "./limits.ts";
import { webhookBin, webhookDay, webhookDelivery, webhookEndpoint } from "./tables.server.ts";

/** So that one run of the cron stays short; the next run continues. */
const DELIVERIES_PER_RUN = 5_000;

/**
 * Deletes old deliveries, and all of endpoints that are gone. Counts those that were never made
 * with their endpoint, whose screen says so.
 */
export async function pruneDeliveries(db: Db, now: Date): Promise<void> {
  const until = now.getTime() - DELIVERY_DAYS * DAY_MS;
  const { endpointId, createdAt, eventId, state } = webhookDelivery;
  // Leaps from one endpoint to the next along the key; a list of all distinct ones would read every row.
  const next = (after: ReturnType<typeof sql>) =>
    sql`SELECT min(${endpointId}) FROM ${webhookDelivery} ${after}`;
  const deleted = await db
    .delete(webhookDelivery)
    .where(
      sql`(${endpointId}, ${createdAt}, ${eventId}) IN (
        WITH RECURSIVE known(id) AS (
          ${next(sql``)}
          UNION ALL
          SELECT (${next(sql`WHERE ${endpointId} > known.id`)}) FROM known WHERE known.id IS NOT NULL
        )
        SELECT ${endpointId}, ${createdAt}, ${eventId} FROM known JOIN ${webhookDelivery} ON ${endpointId} = known.id
        WHERE ${createdAt} < ${until} OR NOT EXISTS (SELECT 1 FROM ${webhookEndpoint} WHERE ${webhookEndpoint.id} = known.id)
        LIMIT ${DELIVERIES_PER_RUN}
      )`,
    )
    .returning({ endpointId, state });
  const dropped = new Map<string, number>();
  for (const row of deleted) {
    if (row.state === "waiting")
      dropped.set(row.endpointId, (dropped.get(row.endpointId) ?? 0) + 1);
  }
  if (dropped.size === 0) return;
  for (const [endpoint, count] of dropped) log("warn", "webhook.dropped", { endpoint, count });
  await db
    .update(webhookEndpoint)
    .set({ dropped: sql`${webhookEndpoint.dropped} + (dropped.value)` })
    .from(sql`json_each(${JSON.stringify(Object.fromEntries(dropped))}) AS dropped`)
    .where(sql`${webhookEndpoint.id} = dropped.key`);
}

/** Deletes requests that bins received more than a day ago, and days that no screen shows. */
export async function emptyBins(db: Db, now: Date): Promise<void> {
  const oldest = dayNumberOf(now) - DELIVERY_DAYS;
  // Both tables have a few rows for each webhook.
  await db.batch([
    db.delete(webhookBin).where(lt(webhookBin.receivedAt, new Date(now.getTime() - BIN_MS))),
    db.delete(webhookDay).where(lt(webhookDay.day, oldest)),
  ]);
}

/** Encrypts the secrets anew that an earlier secret of the site encrypted, so that it need not be kept for them. */
export async function resealSecrets(db: Db, keys: Keys): Promise<void> {
  if (keys.previous.length === 0) return;
  const { id, secret, previousSecret } = webhookEndpoint;
  const rows = await db.select({ id, secret, previousSecret }).from(webhookEndpoint);
  const resealed = await Promise.all(
    rows.map(async (row) => ({
      ...row,
      now: await keys.reseal("webhook", row.secret),
      before: row.previousSecret && (await keys.reseal("webhook", row.previousSecret)),
    })),
  );
  const changed = resealed.filter(({ now, before }) => now ?? before);
  if (changed.length === 0) return;
  const one = (field: string) => sql`one.value ->> ${sql.raw(`'${field}'`)}`;
  await db
    .update(webhookEndpoint)
    .set({
      secret: sql`coalesce(${one("now")}, ${secret})`,
      previousSecret: sql`coalesce(${one("before")}, ${previousSecret})`,
    })
    .from(sql`json_each(${JSON.stringify(changed)}) AS one`)
    // A secret that was replaced meanwhile stays.
    .where(sql`${id} = ${one("id")} AND ${secret} = ${one("secret")}`);
}
