import { count, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { mailOutbox, passkey } from "../../db/schema/schema.ts";
import { describeError, log } from "../../runtime/log.ts";
import { DAY_MS } from "../../values/time.ts";
import type { Config } from "../environment/config.ts";
import type { SettingState } from "../environment/setting-states.ts";
import { selectAlarms } from "./alarms.server.ts";
import { troublesOf } from "./alarms.ts";
import { findProblems } from "./problems.ts";
import { selectRuns } from "./scheduled-runs.server.ts";
import type { BindingState, BoundedCount, SystemStatus } from "./status.ts";
import type { UsageReader } from "./usage.server.ts";

/** Counts stop here, so that the page reads a few hundred rows at any size. */
const MOST_COUNTED = 100;

type SystemServices = {
  config: Config;
  db: Db;
  settings: SettingState[];
  avatars: R2Bucket | undefined;
  readStyles: () => Promise<string | undefined>;
  readUsage: UsageReader;
};

/** Reads the state of all parts: one round trip to the database, and the other services beside it. */
export async function readSystemStatus(
  services: SystemServices,
  { now, providers }: Pick<SystemStatus, "now" | "providers">,
): Promise<SystemStatus> {
  const { config, db, settings } = services;
  const [stored, usage, bucket, assets] = await Promise.all([
    readDatabase(db, now),
    services.readUsage(now),
    tryBucket(services.avatars),
    services.readStyles().then((styles) => (styles === undefined ? "none" : "works")),
  ]);
  const { release, commit, time, migrations } = __BUILD__;
  const applied = new Set(stored.migrations);
  return {
    now,
    build: { release, commit, time: new Date(time) },
    migrations: {
      known: migrations.length,
      missing: migrations.filter((name) => !applied.has(name)),
      newer: stored.migrations.filter((name) => !migrations.includes(name)),
    },
    troubles: troublesOf(stored.alarms, stored.runs, now),
    mail: { isLocal: config.mail.resendApiKey === undefined, ...stored.mail },
    runs: stored.runs,
    database: { plan: config.plan, bytes: stored.bytes, usage },
    bucket,
    assets,
    passkeys: { host: new URL(config.baseUrl).hostname, ...stored.passkeys },
    hasCaptcha: config.turnstile !== undefined,
    providers,
    environment: config.environment.name ?? null,
    settings,
    problems: findProblems(config, settings),
  };
}

async function readDatabase(db: Db, now: Date) {
  const dayAgo = now.getTime() - DAY_MS;
  const [runs, alarms, migrations, [waiting], [failed], [newest], [admins], { meta }] =
    await db.batch([
      selectRuns(db),
      selectAlarms(db),
      db.select({ name: sql<string>`name` }).from(sql`d1_migrations`).orderBy(sql`name`),
      db
        .select({
          count: count(),
          oldestAt: sql`min(created_at)`.mapWith(mailOutbox.createdAt),
        })
        .from(bounded(sql`state = 'waiting' AND state <> 'sent' ORDER BY created_at`)),
      db
        .select({ count: count() })
        .from(bounded(sql`state = 'failed' AND state <> 'sent' AND created_at > ${dayAgo}`)),
      db
        .select({ count: count(), sentAt: sql`max(sent_at)`.mapWith(mailOutbox.sentAt) })
        .from(bounded(sql`true ORDER BY created_at DESC`)),
      selectAdmins(db),
      // Only the answer to a statement without a result set has the size of the database.
      db.run(sql`SELECT 1`),
    ]);
  return {
    runs,
    alarms,
    migrations: migrations.map(({ name }) => name),
    mail: {
      waiting: boundedCount(waiting?.count),
      oldestWaitingAt: waiting?.oldestAt ?? null,
      failed: boundedCount(failed?.count),
      hasAny: (newest?.count ?? 0) > 0,
      lastSentAt: newest?.sentAt ?? null,
    },
    passkeys: { admins: boundedCount(admins?.count), withPasskey: admins?.withPasskey ?? 0 },
    bytes: meta.size_after,
  };
}

/** At most 101 mails: one more than is counted. */
function bounded(condition: ReturnType<typeof sql>) {
  return sql`(SELECT created_at, sent_at FROM ${mailOutbox} WHERE ${condition} LIMIT ${MOST_COUNTED + 1})`;
}

function boundedCount(counted = 0): BoundedCount {
  return { count: Math.min(counted, MOST_COUNTED), isMore: counted > MOST_COUNTED };
}

/** Statement that counts admins, and those with a passkey. */
function selectAdmins(db: Db) {
  const hasPasskey = sql`EXISTS (SELECT 1 FROM ${passkey} WHERE ${passkey.userId} = admin.id)`;
  return db
    .select({
      count: count(),
      withPasskey: sql<number>`coalesce(sum(${hasPasskey}), 0)`,
    })
    .from(sql`(SELECT id FROM eligible_admin LIMIT ${MOST_COUNTED + 1}) AS admin`);
}

/** Lists one object, which shows that the bucket answers. */
async function tryBucket(bucket: R2Bucket | undefined): Promise<BindingState> {
  if (!bucket) return "none";
  try {
    await bucket.list({ limit: 1 });
    return "works";
  } catch (error) {
    log("error", "bucket.unavailable", describeError(error));
    return "failing";
  }
}
