import { count, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { ask, type Read } from "../../db/read.server.ts";
import { mailOutbox, scheduledRun } from "../../db/schema/schema.ts";
import type { Plan } from "../../values/platform-limits.ts";
import { DAY_MS, HOUR_MS } from "../../values/time.ts";
import type { Config } from "../environment/config.ts";
import type { ScheduledRun } from "./cron.ts";

/** Counts stop here, so that a page reads a few hundred rows at any size. */
const MOST_COUNTED = 100;

/** A count that was read up to a limit. */
export type BoundedCount = { count: number; isMore: boolean };

/** Reads of the features: what needs attention, or nothing. */
export type AttentionReads = Readonly<Record<string, Read<Shown | undefined>>>;
type Shown = Readonly<Record<string, string>>;
type Attention = Readonly<Record<string, Shown>>;

/** What the product knows about its own running. */
export type SystemStatus = {
  now: Date;
  mail: {
    /** True when mail stays in the local inbox. */
    isLocal: boolean;
    waiting: BoundedCount;
    oldestWaitingAt: Date | null;
    failed: BoundedCount;
    /** How many of the newest 100 mails are of the last hour, and how many of these failed or expired. */
    recent: number;
    unsent: number;
    /** Null when none of the newest 100 mails was sent. */
    lastSentAt: Date | null;
    /** The same of those that the provider accepted. */
    acceptedAt: Date | null;
  };
  runs: ScheduledRun[];
  /** What the features found that needs attention, with the values that its sentence shows. */
  attention: Attention;
  database: { plan: Plan; bytes: number };
};

/** Reads whether mail is leaving, whether the cron ran and how full the database is, in one round trip. */
export async function readSystemStatus(
  db: Db,
  { plan, mail }: Pick<Config, "plan" | "mail">,
  reads: AttentionReads,
  now: Date,
): Promise<SystemStatus> {
  const features = ask(db, reads);
  const hourAgo = now.getTime() - HOUR_MS;
  const [runs, [waiting], [failed], [newest], { meta }, ...found] = await db.batch([
    db.select().from(scheduledRun),
    db
      .select({ count: count(), oldestAt: sql`min(created_at)`.mapWith(mailOutbox.createdAt) })
      .from(firstMails(sql`state = 'waiting' AND state <> 'sent' ORDER BY created_at`)),
    db
      .select({ count: count() })
      .from(
        firstMails(
          sql`state = 'failed' AND state <> 'sent' AND created_at > ${now.getTime() - DAY_MS}`,
        ),
      ),
    db
      .select({
        recent: sql<number>`count(*) FILTER (WHERE created_at > ${hourAgo})`,
        unsent: sql<number>`count(*) FILTER (WHERE created_at > ${hourAgo} AND state IN ('failed', 'expired'))`,
        sentAt: sql`max(sent_at)`.mapWith(mailOutbox.sentAt),
        acceptedAt: sql`max(sent_at) FILTER (WHERE provider_id IS NOT NULL)`.mapWith(
          mailOutbox.sentAt,
        ),
      })
      .from(firstMails(sql`true ORDER BY created_at DESC`, MOST_COUNTED)),
    // Only the answer to a statement without a result set has the size of the database.
    db.run(sql`SELECT 1`),
    ...features.statements,
  ]);
  return {
    now,
    mail: {
      isLocal: mail.resendApiKey === undefined,
      waiting: boundedCount(waiting?.count),
      oldestWaitingAt: waiting?.oldestAt ?? null,
      failed: boundedCount(failed?.count),
      recent: newest?.recent ?? 0,
      unsent: newest?.unsent ?? 0,
      lastSentAt: newest?.sentAt ?? null,
      acceptedAt: newest?.acceptedAt ?? null,
    },
    runs,
    attention: shownOf(features.results(found)),
    database: { plan, bytes: meta.size_after },
  };
}

function shownOf(found: Readonly<Record<string, Shown | undefined>>): Attention {
  const holds = (entry: [string, Shown | undefined]): entry is [string, Shown] =>
    entry[1] !== undefined;
  return Object.fromEntries(Object.entries(found).filter(holds));
}

/** The first mails under a condition: by default one more than is counted. */
function firstMails(condition: ReturnType<typeof sql>, limit = MOST_COUNTED + 1) {
  return sql`(SELECT state, created_at, sent_at, provider_id FROM ${mailOutbox} WHERE ${condition} LIMIT ${limit})`;
}

function boundedCount(counted = 0): BoundedCount {
  return { count: Math.min(counted, MOST_COUNTED), isMore: counted > MOST_COUNTED };
}
