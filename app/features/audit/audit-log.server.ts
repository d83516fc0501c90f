import { and, desc, eq, gte, lt, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import type { Db } from "../../db/db.server.ts";
import { auditEvent, user } from "../../db/schema/schema.ts";
import { momentsOf, readDayRange } from "../../http/day-range.ts";
import { readListParams } from "../../http/list-params.ts";
import { listState } from "../../http/list-state.ts";
import { AUDIT_ACTIONS } from "./actions.ts";

const PAGE_SIZE = 20;
const EXPORT_STRETCH = 500;
/** Above this a total is "1,000+". */
const TOTAL_CAP = 1_000;

type Filters = { action?: string; from?: string; to?: string };
type Cursor = { value: string | number | null; id: string };

/** What the audit's address shows, in one round trip. The search finds an actor's or target's address, whole. */
export async function loadAuditLog(db: Db, url: URL) {
  const params = readListParams(url, ["created"], "desc");
  const { filters, isMalformed } = readFilters(url);
  if (isMalformed) params.notices.push("common:list.dayIgnored");
  const limit = PAGE_SIZE * params.pages;
  const criteria = criteriaOf(filters, params.searchTerm);
  const [rows, totals] = await db.batch([
    selectEvents(db, and(criteria, behind(params.after)), limit + 1),
    db
      .select({
        count: sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${auditEvent} WHERE ${criteria ?? sql`1`} LIMIT ${TOTAL_CAP + 1}))`,
      })
      .from(sql`(SELECT 1)`),
  ]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const count = totals[0]?.count ?? 0;
  return {
    rows: shown,
    filters,
    state: listState(params, {
      shown: shown.length,
      hasMore: rows.length > limit,
      total: { count: Math.min(count, TOTAL_CAP), isCapped: count > TOTAL_CAP },
      cursor: last && { value: last.createdAt.getTime(), id: last.id },
    }),
  };
}

/** The events that an address's filters find, newest first, a stretch at a time, for a file. */
export async function* exportAuditLog(db: Db, url: URL) {
  const { searchTerm } = readListParams(url, ["created"], "desc");
  const criteria = criteriaOf(readFilters(url).filters, searchTerm);
  let after: Cursor | undefined;
  do {
    const rows = await selectEvents(db, and(criteria, behind(after)), EXPORT_STRETCH);
    yield rows.map((row) => [
      row.createdAt,
      row.action,
      row.actor ?? row.actorId,
      row.impersonatorId,
      row.targetType,
      row.target ?? row.targetId,
      row.ipAddress,
      row.details && JSON.stringify(row.details),
    ]);
    const last = rows.at(-1);
    after =
      last && rows.length === EXPORT_STRETCH
        ? { value: last.createdAt.getTime(), id: last.id }
        : undefined;
  } while (after);
}

function selectEvents(db: Db, where: SQL | undefined, limit: number) {
  const actor = alias(user, "actor");
  const target = alias(user, "target");
  const impersonator = alias(user, "impersonator");
  // A batch answers rows by column name, so three columns called `email` need names of their own.
  return db
    .select({
      id: auditEvent.id,
      action: auditEvent.action,
      actorId: auditEvent.actorId,
      actor: sql<string | null>`${actor.email}`.as("actor_email"),
      impersonatorId: auditEvent.impersonatorId,
      impersonator: sql<string | null>`${impersonator.email}`.as("impersonator_email"),
      targetType: auditEvent.targetType,
      targetId: auditEvent.targetId,
      target: sql<string | null>`${target.email}`.as("target_email"),
      details: auditEvent.details,
      ipAddress: auditEvent.ipAddress,
      createdAt: auditEvent.createdAt,
    })
    .from(auditEvent)
    .leftJoin(actor, eq(actor.id, auditEvent.actorId))
    .leftJoin(impersonator, eq(impersonator.id, auditEvent.impersonatorId))
    .leftJoin(target, and(eq(auditEvent.targetType, "user"), eq(target.id, auditEvent.targetId)))
    .where(where)
    .orderBy(desc(auditEvent.createdAt), desc(auditEvent.id))
    .limit(limit);
}

function readFilters(url: URL): { filters: Filters; isMalformed: boolean } {
  const { isMalformed, ...days } = readDayRange(url);
  const action = z
    .enum(AUDIT_ACTIONS)
    .optional()
    .catch(undefined)
    .parse(url.searchParams.get("action") ?? undefined);
  return { filters: { ...days, action }, isMalformed };
}

function criteriaOf({ action, ...days }: Filters, searchTerm: string): SQL | undefined {
  const { start, end } = momentsOf(days);
  const email = searchTerm.trim().toLowerCase();
  const person = sql`(SELECT ${user.id} FROM ${user} WHERE ${user.email} = ${email})`;
  return and(
    action ? eq(auditEvent.action, action) : undefined,
    start && gte(auditEvent.createdAt, start),
    end && lt(auditEvent.createdAt, end),
    email
      ? or(
          sql`${auditEvent.actorId} = ${person}`,
          sql`${auditEvent.targetId} = ${person}`,
          eq(auditEvent.targetId, searchTerm.trim()),
        )
      : undefined,
  );
}

function behind(after: Cursor | undefined): SQL | undefined {
  return after && sql`(${auditEvent.createdAt}, ${auditEvent.id}) < (${after.value}, ${after.id})`;
}
