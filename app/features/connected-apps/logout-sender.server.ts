import { and, asc, eq, isNotNull, lt, lte, min, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { idsIn } from "../../db/ids-in.ts";
import type { Host } from "../../feature.server.ts";
import { describeError, log } from "../../runtime/log.ts";
import { HOUR_MS, MINUTE_MS } from "../../values/time.ts";
import { type LogoutAnswer, meaningOf, postLogout } from "./logout-attempt.server.ts";
import { oauthClient, oauthLogout } from "./tables.server.ts";

/** So that a run stays within the 50 requests of the free plan. The next run goes on at once. */
const LOGOUTS_PER_RUN = 25;
const RUN_MS = 20_000;
/** Waits after the first failed try and the second. A logout that is an hour old is of no use. */
const WAITS_MS = [30_000, 5 * MINUTE_MS];
const GIVE_UP_MS = HOUR_MS;
/** Wait of what an app was not asked, because it did not answer what came before. */
const SILENT_MS = 30_000;
/** Wait after a fault of the database. */
const AFTER_FAULT_MS = 5_000;
/** Apps that are woken at once; the next request or the cron wakes the others. */
const WOKEN_AT_ONCE = 20;

/** An isolate that found no app to be told asks again after so long. The cron wakes those that were made meanwhile. */
const NONE_MS = 30_000;

/** When an isolate last found that a database has no app to be told. */
const foundNoneAt = new WeakMap<Db, number>();

/** Wakes the senders of apps that are to be told something now. It never throws: the cron does what it misses. */
export async function wakeLogouts({ db, ring }: Pick<Host, "db" | "ring">, now: Date) {
  try {
    const due = await db
      .select({ id: oauthClient.id })
      .from(oauthLogout)
      .innerJoin(oauthClient, eq(oauthClient.clientId, oauthLogout.clientId))
      .where(lte(oauthLogout.nextTryAt, now))
      .groupBy(oauthClient.id)
      .orderBy(asc(min(oauthLogout.nextTryAt)))
      .limit(WOKEN_AT_ONCE);
    await Promise.all(due.map(({ id }) => ring("app-logout", id)));
  } catch (error) {
    log("warn", "app_logout.sender_not_reached", describeError(error));
  }
}

/** The same after a request, unless there is no app to be told. */
export async function wakeLogoutsAfterWrite(host: Host, _since: Date, now: Date): Promise<void> {
  const { db } = host;
  const noneAt = foundNoneAt.get(db);
  if (noneAt !== undefined && now.getTime() - noneAt < NONE_MS) return;
  try {
    const [known] = await db
      .select({ id: oauthClient.id })
      .from(oauthClient)
      .where(isNotNull(oauthClient.logoutUri))
      .limit(1);
    if (!known) {
      foundNoneAt.set(db, now.getTime());
      return;
    }
  } catch (error) {
    log("warn", "app_logout.sender_not_reached", describeError(error));
    return;
  }
  await wakeLogouts(host, now);
}

/**
 * Tells an app of sessions that have ended, and returns when to go on. One logout is tried three
 * times in an hour. An app that does not answer is asked no more in this run, so that a silent one
 * costs one wait.
 */
export async function sendLogouts(
  host: Pick<Host, "db" | "config">,
  id: string,
  now: () => Date,
): Promise<Date | undefined> {
  try {
    return await runOnce(host, id, now);
  } catch (error) {
    // What was told but not stored is told again.
    log("error", "app_logout.sending_failed", { app: id, ...describeError(error) });
    return new Date(now().getTime() + AFTER_FAULT_MS);
  }
}

async function runOnce({ db, config }: Pick<Host, "db" | "config">, id: string, now: () => Date) {
  const startedAt = now();
  const [, due] = await db.batch([forgetOld(db, id, startedAt), selectDue(db, id, startedAt)]);
  if (due.length === 0) return nextOf(db, id);
  // Loaded with the first logout, because an isolate's start would take longer with it.
  const { logoutSigner } = await import("./logout-plugins.server.ts");
  const sign = logoutSigner({ db, config });
  const outcomes: Outcome[] = [];
  for (const { logoutId, tries, uri, aud, sub, sid } of due) {
    const at = now();
    if (uri === null || at.getTime() - startedAt.getTime() > RUN_MS) break;
    const token = await sign({ aud, sub, sid, iat: Math.floor(at.getTime() / 1_000) });
    const answer = await postLogout(uri, token, config);
    outcomes.push({ id: logoutId, tries, answer });
    if (isSilence(answer)) break;
  }
  await store(db, id, outcomes, now());
  return nextOf(db, id);
}

type Outcome = { id: string; tries: number; answer: LogoutAnswer };

function isSilence(answer: LogoutAnswer | undefined): boolean {
  return answer === "timeout" || answer === "unreachable";
}

/** SQL condition: a logout is for this app. */
const isFor = (id: string) =>
  sql`${oauthLogout.clientId} = (SELECT ${oauthClient.clientId} FROM ${oauthClient} WHERE ${eq(oauthClient.id, id)})`;

function forgetOld(db: Db, id: string, now: Date) {
  const isOld = lt(oauthLogout.createdAt, new Date(now.getTime() - GIVE_UP_MS));
  return db.delete(oauthLogout).where(and(isFor(id), isOld));
}

/** Statement that finds what an app is to be told now: first what was tried least, so that one logout holds up no other. */
function selectDue(db: Db, id: string, now: Date) {
  return db
    .select({
      // In a batch two columns of one name would become one.
      logoutId: sql<string>`${oauthLogout.id}`.as("logout_id"),
      tries: oauthLogout.tries,
      uri: oauthClient.logoutUri,
      aud: sql<string>`${oauthClient.clientId}`.as("aud"),
      sub: oauthLogout.userId,
      sid: oauthLogout.sessionId,
    })
    .from(oauthLogout)
    .innerJoin(oauthClient, eq(oauthClient.clientId, oauthLogout.clientId))
    .where(
      and(
        eq(oauthClient.id, id),
        eq(oauthClient.disabled, false),
        isNotNull(oauthClient.logoutUri),
        lte(oauthLogout.nextTryAt, now),
      ),
    )
    .orderBy(asc(oauthLogout.tries), asc(oauthLogout.createdAt), asc(oauthLogout.id))
    .limit(LOGOUTS_PER_RUN);
}

async function store(db: Db, id: string, outcomes: readonly Outcome[], now: Date): Promise<void> {
  const last = outcomes.at(-1);
  if (!last) return;
  const isLater = ({ answer, tries }: Outcome) =>
    meaningOf(answer) === "later" && tries < WAITS_MS.length;
  const idsOf = (some: readonly Outcome[]) => some.map((one) => one.id);
  const wait = sql`iif(${oauthLogout.tries} = 0, ${WAITS_MS[0]}, ${WAITS_MS[1]})`;
  const silent = db
    .update(oauthLogout)
    .set({ nextTryAt: new Date(now.getTime() + SILENT_MS) })
    .where(and(isFor(id), lte(oauthLogout.nextTryAt, now)));
  await db.batch([
    db
      .delete(oauthLogout)
      .where(idsIn(oauthLogout.id, idsOf(outcomes.filter((one) => !isLater(one))))),
    db
      .update(oauthLogout)
      .set({
        tries: sql`${oauthLogout.tries} + 1`,
        nextTryAt: sql`${now.getTime()} + ${wait}`,
      })
      .where(idsIn(oauthLogout.id, idsOf(outcomes.filter(isLater)))),
    db
      .update(oauthClient)
      .set({ logoutTriedAt: now, logoutAnswer: String(last.answer) })
      .where(eq(oauthClient.id, id)),
    ...(isSilence(last.answer) ? [silent] : []),
  ]);
}

/** Returns when an app is to be told more; undefined when there is nothing. */
async function nextOf(db: Db, id: string): Promise<Date | undefined> {
  const [next] = await db
    .select({ at: min(oauthLogout.nextTryAt) })
    .from(oauthLogout)
    .where(isFor(id));
  return next?.at ?? undefined;
}
