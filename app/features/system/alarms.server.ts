import { and, eq, inArray, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { alarm, mailOutbox, user } from "../../db/schema/schema.ts";
import { DEFAULT_LANGUAGE } from "../../i18n/languages.ts";
import { log } from "../../runtime/log.ts";
import { DAY_MS, HOUR_MS } from "../../values/time.ts";
import type { AlarmNews } from "../mail/mail-message.ts";
import type { Mailer } from "../mail/outbox.server.ts";
import {
  type AlarmKind,
  compareAlarms,
  FEWEST_UNSENT,
  type Finding,
  judgeJobs,
  judgeLateness,
  judgeMail,
  judgeSize,
  MAIL_EVERY_MS,
  type MailFigures,
} from "./alarms.ts";
import type { Schedule } from "./cron.ts";
import type { Plan } from "./plan.ts";
import { selectRuns } from "./scheduled-runs.server.ts";

/** At most so many admins get a mail. */
const MAX_RECIPIENTS = 20;
const MOST_COUNTED = 1_000;

export type AlarmServices = {
  db: Db;
  mailer: Mailer;
  /** URL of the system page. */
  link: string;
  /** Recipients while the database has no admin. */
  adminEmails: string[];
  plan: Plan;
};

/** Statement for the alarms that hold. */
export function selectAlarms(db: Db) {
  return db.select().from(alarm).where(isNull(alarm.endedAt));
}

/**
 * Checks at the end of a run of the cron what the product can tell by itself. The run of every minute checks mails, jobs,
 * size and the other schedule; the hourly run only the other schedule. Reads a few rows while all is well.
 */
export async function checkAlarms(
  services: AlarmServices,
  { schedule, databaseBytes }: { schedule: Schedule; databaseBytes: number },
  now: Date,
): Promise<void> {
  const { db, plan } = services;
  if (schedule === "hour") {
    return settleAlarms(services, [judgeLateness(await selectRuns(db), "minute", now)], now);
  }
  const [runs, [mails]] = await db.batch([selectRuns(db), selectMailFigures(db, now)]);
  const findings = [
    judgeMail(mails ?? { unsent: 0, all: 0, oldestWaitingAt: null }, now),
    judgeJobs(runs),
    judgeLateness(runs, "hour", now),
    judgeSize(databaseBytes, plan),
  ];
  await settleAlarms(services, findings, now);
}

/** Raises, repeats and ends alarms. Admins get a mail about an alarm that holds at most once an hour. */
export async function settleAlarms(
  services: AlarmServices,
  findings: Finding[],
  now: Date,
): Promise<void> {
  const { db } = services;
  const known = await db.select().from(alarm);
  const { due, reopened, ended } = compareAlarms(known, findings, now);
  for (const kind of reopened) await open(db, kind, now);
  for (const news of due) await raise(services, news, now);
  if (ended.length > 0) await end(db, ended, now);
}

/**
 * Opens an alarm and mails it in one batch. The mails are written only by the run that moves the time of the last mail,
 * so of two simultaneous runs one sends them.
 */
async function raise(services: AlarmServices, news: AlarmNews, now: Date): Promise<void> {
  const { db, mailer, link } = services;
  const expiresAt = new Date(now.getTime() + DAY_MS);
  const message = { kind: "alarm", news, link } as const;
  const mails = await Promise.all(
    (await listRecipients(services)).map((recipient) =>
      mailer.prepare(
        { recipient, language: DEFAULT_LANGUAGE, expiresAt, message },
        now,
        "concerned",
      ),
    ),
  );
  const isDue = or(
    isNull(alarm.lastMailedAt),
    lte(alarm.lastMailedAt, new Date(now.getTime() - MAIL_EVERY_MS)),
  );
  const [, claimed, ...written] = await db.batch([
    open(db, news.alarm, now),
    db
      .update(alarm)
      .set({ lastMailedAt: now })
      .where(and(eq(alarm.kind, news.alarm), isDue)),
    // Each is written if the write before it wrote a row, so all of them or none.
    ...mails.map(({ statement }) => statement),
  ]);
  if (claimed.meta.changes === 0) return;
  log("error", "alarm.raised", { ...news, recipients: mails.length });
  await Promise.all(mails.map(({ send }, index) => send(written[index] ?? [])));
}

/** Statement that opens an alarm; one that already holds keeps its beginning. */
function open(db: Db, kind: AlarmKind, now: Date) {
  return db
    .insert(alarm)
    .values({ kind, since: now })
    .onConflictDoUpdate({
      target: alarm.kind,
      set: { since: now, endedAt: null },
      setWhere: isNotNull(alarm.endedAt),
    });
}

async function end(db: Db, kinds: AlarmKind[], now: Date): Promise<void> {
  const ended = await db
    .update(alarm)
    .set({ endedAt: now })
    .where(and(inArray(alarm.kind, kinds), isNull(alarm.endedAt)))
    .returning({ kind: alarm.kind });
  for (const { kind } of ended) log("info", "alarm.ended", { alarm: kind });
}

/** Returns the e-mails of the admins; those of ADMIN_EMAILS while there is no admin. */
async function listRecipients({ db, adminEmails }: AlarmServices): Promise<string[]> {
  const admins = await db
    .select({ email: user.email })
    .from(user)
    .where(sql`${user.id} IN (SELECT id FROM eligible_admin LIMIT ${MAX_RECIPIENTS})`);
  return admins.length > 0
    ? admins.map(({ email }) => email)
    : adminEmails.slice(0, MAX_RECIPIENTS);
}

/**
 * Statement that counts the mails that were not sent. Mails about alarms do not count, so that no alarm keeps itself
 * alive. All mails are counted only when there are unsent ones.
 */
function selectMailFigures(db: Db, now: Date) {
  const hourAgo = now.getTime() - HOUR_MS;
  // The condition `state <> 'sent'` is the one of the partial index.
  const unsent = sql`(SELECT count(*) FROM (
    SELECT 1 FROM ${mailOutbox} WHERE state IN ('failed', 'expired') AND state <> 'sent' AND created_at > ${hourAgo}
      AND kind <> 'alarm' LIMIT ${MOST_COUNTED}
  ))`;
  return db
    .select({
      unsent: sql<number>`unsent`.mapWith(Number),
      all: sql<number>`CASE WHEN unsent >= ${FEWEST_UNSENT} THEN (SELECT count(*) FROM (
        SELECT 1 FROM ${mailOutbox} WHERE created_at > ${hourAgo} LIMIT ${10 * MOST_COUNTED}
      )) ELSE 0 END`.as("all_mails"),
      oldestWaitingAt: sql<MailFigures["oldestWaitingAt"]>`(
        SELECT created_at FROM ${mailOutbox} WHERE state = 'waiting' AND state <> 'sent' AND kind <> 'alarm'
        ORDER BY created_at LIMIT 1
      )`
        .mapWith(mailOutbox.createdAt)
        .as("oldest"),
    })
    .from(sql`(SELECT ${unsent} AS unsent)`);
}
