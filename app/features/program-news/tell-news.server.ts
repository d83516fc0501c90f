import { and, asc, eq, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { idsIn } from "../../db/ids-in.ts";
import { organization, user } from "../../db/schema/schema.ts";
import type { Plan } from "../../values/platform-limits.ts";
import { DAY_MS } from "../../values/time.ts";
import { roleMayDo } from "../access/organization-permissions.ts";
import type { Mailer } from "../mail/outbox.server.ts";
import { NEWS_LIMITS } from "./limits.ts";
import { findManagers, type Manager } from "./managers.server.ts";
import { NEWS_PAGES, pageOf } from "./pages.ts";
import { programNews } from "./tables.server.ts";

type Services = { db: Db; mailer: Pick<Mailer, "prepare">; baseUrl: string };

/** The mail is of use for a week. */
const MAIL_DAYS = 7;
/** Lines of one mail. */
const MOST_LINES = 10;
/** News that one mail can be about. */
const NEWS_AT_ONCE = 100;
/** Organizations that one run of the cron tells. The free plan takes 50 statements in a run, and one takes up to 13. */
const TOLD_IN_A_RUN: Record<Plan, number> = { free: 1, paid: 20 };

/**
 * Mails what happened to things that act for programs to those who may change them, but to nobody what they did
 * themselves. What comes after the limit of a day waits for the next mail.
 */
export async function tellDueNews(services: Services, plan: Plan, now: Date): Promise<void> {
  const owners = await services.db
    .select({ organizationId: programNews.organizationId })
    .from(programNews)
    .where(and(isNull(programNews.toldAt), hasRoom(sql`${programNews.organizationId}`, now)))
    .groupBy(programNews.organizationId)
    .orderBy(asc(sql`min(${programNews.id})`))
    .limit(TOLD_IN_A_RUN[plan]);
  for (const { organizationId } of owners) await tellNews(services, organizationId, now);
}

/** Mails the news of one organization, or of the site. */
export async function tellNews(
  { db, mailer, baseUrl }: Services,
  organizationId: string | null,
  now: Date,
): Promise<void> {
  const [news, managers] = await Promise.all([
    findNews(db, organizationId, now),
    findManagers(
      db,
      organizationId,
      Object.values(NEWS_PAGES).map(({ needs }) => needs),
    ),
  ]);
  const [first] = news;
  if (!first) return;
  const expiresAt = new Date(now.getTime() + MAIL_DAYS * DAY_MS);
  // Of two runs at the same time one tells.
  const isTold = sql`EXISTS (
    SELECT 1 FROM ${programNews} WHERE ${programNews.id} = ${first.id} AND ${programNews.toldAt} = ${now.getTime()}
  )`;
  const prepared = managers.flatMap((manager) => {
    const told = news.filter(({ userId, kind }) => userId !== manager.id && isFor(manager, kind));
    // News of several pages lead to the last of these.
    const page = Object.keys(NEWS_PAGES).findLast((name) =>
      told.some(({ kind }) => pageOf(kind) === name),
    );
    if (page === undefined) return [];
    const message = {
      kind: "programs-changed" as const,
      page,
      organization: first.organization,
      news: told.slice(0, MOST_LINES).map(({ kind, name, by }) => ({ what: kind, name, by })),
      isMore: told.length > MOST_LINES,
      link: baseUrl + pathOf(page, first.slug),
    };
    const causedBy = told[0]?.userId ?? null;
    const mail = {
      recipient: manager.email,
      language: "en" as const,
      expiresAt,
      message,
      causedBy,
    };
    return mailer.prepare(mail, now, "account", isTold);
  });
  const mails = await Promise.all(prepared);
  const ids = news.map(({ id }) => id);
  const [, ...written] = await db.batch([
    db
      .update(programNews)
      .set({ toldAt: now })
      .where(and(idsIn(programNews.id, ids), isNull(programNews.toldAt))),
    ...mails.map(({ statement }) => statement),
  ]);
  for (const [at, mail] of mails.entries()) await mail.send(written[at] ?? []);
}

/** Deletes news of which a mail has told, once they count for no limit, and those that nobody was left to be told. */
export async function pruneNews(db: Db, now: Date): Promise<void> {
  await db.delete(programNews).where(lt(programNews.toldAt, new Date(now.getTime() - DAY_MS)));
}

function findNews(db: Db, organizationId: string | null, now: Date) {
  return db
    .select({
      id: programNews.id,
      kind: programNews.kind,
      name: programNews.name,
      userId: programNews.userId,
      by: user.name,
      organization: organization.name,
      slug: organization.slug,
    })
    .from(programNews)
    .leftJoin(user, eq(user.id, programNews.userId))
    .leftJoin(organization, eq(organization.id, programNews.organizationId))
    .where(
      and(
        sql`${programNews.organizationId} IS ${organizationId}`,
        isNull(programNews.toldAt),
        hasRoom(sql`${organizationId}`, now),
      ),
    )
    .orderBy(asc(programNews.id))
    .limit(NEWS_AT_ONCE);
}

/** SQL condition: an organization, or the site, may be told once more today. */
function hasRoom(organizationId: SQL, now: Date): SQL {
  const { max, windowMs } = NEWS_LIMITS.mails;
  return sql`(
    SELECT count(DISTINCT told.told_at) FROM ${programNews} AS told
    WHERE told.organization_id IS ${organizationId} AND told.told_at > ${now.getTime() - windowMs}
  ) < ${max}`;
}

/** True when a person may change what a kind of news is about. */
function isFor({ role }: Manager, kind: string): boolean {
  const page = NEWS_PAGES[pageOf(kind) ?? ""];
  return page !== undefined && (role === null || roleMayDo(role, page.needs));
}

function pathOf(page: string, slug: string | null): string {
  const { organization: ofOrganization = "", site = "" } = NEWS_PAGES[page] ?? {};
  return slug === null ? site : ofOrganization.replace(":slug", slug);
}
