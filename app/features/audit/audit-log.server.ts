import { and, desc, eq, gte, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import type { Db } from "../../db/db.server.ts";
import { auditEvent, mailOutbox, repository, user } from "../../db/schema/schema.ts";
import { momentsOf, readDayRange } from "../../http/day-range.ts";
import { type ListParams, readListParams } from "../../http/list-params.ts";
import { listState } from "../../http/list-state.ts";
import { Email } from "../../values/email.ts";
import { AUDIT_ACTIONS } from "./actions.ts";
import { changesOf, nameIn, writeChange } from "./changes.ts";

const PAGE_SIZE = 20;
const EXPORT_CHUNK = 500;
/** Above this a total is "1,000+". */
const TOTAL_CAP = 1_000;

/** The actor and the target are an id or an address, whole: parts of a million people's addresses would find thousands. */
type Filters = { actor?: string; target?: string; action?: string; from?: string; to?: string };
type Cursor = ListParams<string>["after"];

/** Who or what an event names. */
export type Party = {
  id: string;
  type: string;
  /** What it is called, or was when it still was there; undefined when nobody knows any more. */
  name: string | undefined;
  email: string | undefined;
  isThere: boolean;
};

/** Names a browser and a system from a user agent. */
type DescribeDevice = (userAgent: string | null) => { browser: string; system: string } | undefined;

/** What the audit's address shows, in one round trip. */
export async function loadAuditLog(db: Db, url: URL, describeDevice: DescribeDevice) {
  const params = readListParams(url, ["created"], "desc");
  const filters = readFilters(url, params);
  const limit = PAGE_SIZE * params.pages;
  const asked = [filters.actor ?? "", filters.target ?? ""];
  const [rows, totals, people, repositories] = await db.batch([
    selectEvents(db, filters, params.after, limit + 1),
    db.select({ count: countEvents(filters) }).from(sql`(SELECT 1)`),
    db
      .select({ id: user.id, name: user.name, email: user.email })
      .from(user)
      .where(or(inArray(user.id, asked), inArray(user.email, asked))),
    db
      .select({ id: repository.id, name: repository.name })
      .from(repository)
      .where(inArray(repository.id, asked)),
  ]);
  const shown = rows
    .slice(0, limit)
    .map((row) => ({ ...describeEvent(row), device: describeDevice(row.userAgent) }));
  const last = shown.at(-1);
  const count = totals[0]?.count ?? 0;
  /** What a filter is about, by name. What is not there any more is called what its events call it. */
  const nameOf = (asked: string | undefined, of: "actor" | "target") => {
    const person = people.find(({ id, email }) => id === asked || email === asked);
    const found = person ?? repositories.find(({ id }) => id === asked);
    if (found) return found.name || person?.email;
    return shown.find((row) => row[of]?.id === asked)?.[of]?.name;
  };
  return {
    rows: shown,
    filters,
    names: { actor: nameOf(filters.actor, "actor"), target: nameOf(filters.target, "target") },
    state: listState(params, {
      shown: shown.length,
      hasMore: rows.length > limit,
      total: { count: Math.min(count, TOTAL_CAP), isCapped: count > TOTAL_CAP },
      cursor: last && { value: last.createdAt.getTime(), id: last.id },
    }),
  };
}

/** The events that an address's filters find, newest first, a chunk at a time, for a file. */
export async function* exportAuditLog(db: Db, url: URL, describeDevice: DescribeDevice) {
  const filters = readFilters(url, readListParams(url, ["created"], "desc"));
  const nameOf = (party: Party | undefined) => party && (party.email ?? party.name ?? party.id);
  let after: Cursor;
  do {
    const rows = await selectEvents(db, filters, after, EXPORT_CHUNK);
    yield rows.map((row) => {
      const device = describeDevice(row.userAgent);
      const { createdAt, action, actor, impersonator, target, place, ipAddress, changes } =
        describeEvent(row);
      return [
        createdAt,
        action,
        nameOf(actor),
        nameOf(impersonator),
        target?.type,
        nameOf(target),
        place,
        ipAddress,
        device && `${device.browser}, ${device.system}`,
        changes.map(writeChange).join("; "),
      ];
    });
    const last = rows.at(-1);
    after =
      last && rows.length === EXPORT_CHUNK
        ? { value: last.createdAt.getTime(), id: last.id }
        : undefined;
  } while (after);
}

/** The statement for the newest events there are, for a batch; its rows are for `describeEvent`. */
export function selectNewestEvents(db: Db, limit: number) {
  return selectEvents(db, {}, undefined, limit);
}

type EventRow = Awaited<ReturnType<typeof selectEvents>>[number];

/** An event with everybody and everything in it by name. */
export function describeEvent(row: EventRow) {
  const { id, action, createdAt, place, ipAddress, details } = row;
  const person = (personId: string | null, email: string | null, name: string | null) => {
    if (personId === null) return undefined;
    const isTarget = personId === row.targetId;
    return {
      id: personId,
      type: "user",
      name: name || email || (isTarget ? nameIn(details) : undefined),
      email: email ?? undefined,
      isThere: email !== null,
    } satisfies Party;
  };
  return {
    ...{ id, action, createdAt, place, ipAddress },
    actor: person(row.actorId, row.actorEmail, row.actorName),
    impersonator: person(row.impersonatorId, row.impersonatorEmail, row.impersonatorName),
    target:
      row.targetType === "user"
        ? person(row.targetId, row.targetEmail, row.targetName)
        : thing(row),
    changes: changesOf(details),
  };
}

function thing({ targetId, targetType, details, ...row }: EventRow): Party | undefined {
  if (targetId === null || targetType === null) return undefined;
  const name = row.repositoryName ?? row.mailRecipient;
  return {
    id: targetId,
    type: targetType,
    name: name ?? nameIn(details),
    email: row.mailRecipient ?? undefined,
    isThere: name !== null,
  };
}

function selectEvents(db: Db, filters: Filters, after: Cursor, limit: number) {
  const actor = alias(user, "actor");
  const target = alias(user, "target");
  const impersonator = alias(user, "impersonator");
  const behind =
    after && sql`(${auditEvent.createdAt}, ${auditEvent.id}) < (${after.value}, ${after.id})`;
  const newest = sql`ORDER BY ${auditEvent.createdAt} DESC, ${auditEvent.id} DESC LIMIT ${limit}`;
  // Each branch has an index in this order; together they have none, so the newest of each are sorted.
  const branches = branchesOf(filters).map(
    (branch) =>
      sql`SELECT created_at, id FROM (SELECT ${auditEvent.createdAt}, ${auditEvent.id} FROM ${auditEvent} WHERE ${and(branch, behind) ?? sql`1`} ${newest})`,
  );
  // A batch answers rows by column name, so columns of one name need names of their own.
  return db
    .select({
      id: auditEvent.id,
      action: auditEvent.action,
      actorId: auditEvent.actorId,
      actorName: sql<string | null>`${actor.name}`.as("actor_name"),
      actorEmail: sql<string | null>`${actor.email}`.as("actor_email"),
      impersonatorId: auditEvent.impersonatorId,
      impersonatorName: sql<string | null>`${impersonator.name}`.as("impersonator_name"),
      impersonatorEmail: sql<string | null>`${impersonator.email}`.as("impersonator_email"),
      targetType: auditEvent.targetType,
      targetId: auditEvent.targetId,
      targetName: sql<string | null>`${target.name}`.as("target_name"),
      targetEmail: sql<string | null>`${target.email}`.as("target_email"),
      repositoryName: sql<string | null>`${repository.name}`.as("repository_name"),
      mailRecipient: mailOutbox.recipient,
      details: auditEvent.details,
      place: auditEvent.place,
      ipAddress: auditEvent.ipAddress,
      userAgent: auditEvent.userAgent,
      createdAt: auditEvent.createdAt,
    })
    .from(auditEvent)
    .leftJoin(actor, eq(actor.id, auditEvent.actorId))
    .leftJoin(impersonator, eq(impersonator.id, auditEvent.impersonatorId))
    .leftJoin(target, and(eq(auditEvent.targetType, "user"), eq(target.id, auditEvent.targetId)))
    .leftJoin(
      repository,
      and(eq(auditEvent.targetType, "repository"), eq(repository.id, auditEvent.targetId)),
    )
    .leftJoin(
      mailOutbox,
      and(eq(auditEvent.targetType, "mail"), eq(mailOutbox.id, auditEvent.targetId)),
    )
    .where(
      sql`(${auditEvent.createdAt}, ${auditEvent.id}) IN (
          SELECT created_at, id FROM (${sql.join(branches, sql` UNION ALL `)})
        )`,
    )
    .orderBy(desc(auditEvent.createdAt), desc(auditEvent.id))
    .limit(limit);
}

function countEvents(filters: Filters): SQL<number> {
  const branches = branchesOf(filters).map(
    // Newest first: sign-ins are found in the table itself, and its oldest part may have none.
    (branch) =>
      sql`SELECT 1 FROM (SELECT 1 FROM ${auditEvent} WHERE ${branch ?? sql`1`}
        ORDER BY ${auditEvent.createdAt} DESC, ${auditEvent.id} DESC LIMIT ${TOTAL_CAP + 1})`,
  );
  return sql`(SELECT count(*) FROM (${sql.join(branches, sql` UNION ALL `)} LIMIT ${TOTAL_CAP + 1}))`;
}

/** The filters of an address. What cannot be read is left out, with a notice. */
function readFilters(url: URL, { notices }: ListParams<string>): Filters {
  const { isMalformed, ...days } = readDayRange(url);
  if (isMalformed) notices.push("common:list.dayIgnored");
  const read = <T>(name: string, schema: z.ZodType<T>): T | undefined => {
    const value = url.searchParams.get(name);
    if (value === null || value.trim() === "") return undefined;
    const parsed = schema.safeParse(value);
    if (!parsed.success && !notices.includes("common:list.filterIgnored")) {
      notices.push("common:list.filterIgnored");
    }
    return parsed.data;
  };
  return {
    actor: read("actor", Reference),
    target: read("target", Reference),
    action: read("action", z.enum(AUDIT_ACTIONS)),
    ...days,
  };
}

const Id = z
  .string()
  .trim()
  .regex(/^[\w-]{1,64}$/);
const Reference = z.union([Email, Id]);

/**
 * The filters as sets of events without a common one. An actor has done what is under their name and what they did
 * under another's.
 */
function branchesOf({ actor, target, action, ...days }: Filters): (SQL | undefined)[] {
  const { start, end } = momentsOf(days);
  const rest = and(
    target ? isReferred(auditEvent.targetId, target, actor !== undefined) : undefined,
    action === undefined
      ? undefined
      : isAction(action, actor === undefined && target === undefined),
    start && gte(auditEvent.createdAt, start),
    end && lt(auditEvent.createdAt, end),
  );
  if (!actor) return [rest];
  return [
    and(isReferred(auditEvent.actorId, actor), rest),
    and(
      isReferred(auditEvent.impersonatorId, actor),
      sql`${auditEvent.actorId} IS NOT ${auditEvent.impersonatorId}`,
      rest,
    ),
  ];
}

/**
 * The events of an action. For any but sign-ins `isAlone` names the condition of the index that finds them. Next to a person
 * a plus hides the column from the planner: an actor or a target has fewer events than an action.
 */
function isAction(action: string, isAlone: boolean): SQL | undefined {
  if (!isAlone) return sql`+${auditEvent.action} = ${action}`;
  const isRare = sql`${auditEvent.action} <> 'user.signed_in'`;
  return and(eq(auditEvent.action, action), action === "user.signed_in" ? undefined : isRare);
}

function isReferred(column: SQLiteColumn, reference: string, isSecond = false): SQL {
  const operand = isSecond ? sql`+${column}` : sql`${column}`;
  return reference.includes("@")
    ? sql`${operand} = (SELECT ${user.id} FROM ${user} WHERE ${user.email} = ${reference})`
    : sql`${operand} = ${reference}`;
}
