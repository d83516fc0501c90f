import { and, eq, gte, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import type { Db } from "../../db/db.server.ts";
import { auditEvent, mailOutbox, organization, user } from "../../db/schema/schema.ts";
import { momentsOf, readDayRange } from "../../lists/query/day-range.ts";
import { exportRows } from "../../lists/query/export-rows.server.ts";
import { type ListParams, readListParams } from "../../lists/query/list-params.ts";
import type { After, Order } from "../../lists/query/list-query.server.ts";
import { listState } from "../../lists/query/list-state.ts";
import { behind, orderBy, readPage } from "../../lists/query/page.server.ts";
import { countRows, indexed, readTotal } from "../../lists/query/plan.server.ts";
import type { Device } from "../../values/device-icon.ts";
import { Email } from "../../values/email.ts";
import { THINGS } from "../access/things.ts";
import { AUDIT_ACTIONS } from "./actions.ts";
import type { Party } from "./audit-event.ts";
import { changesOf, nameIn, writeChange } from "./changes.ts";

const NEWEST: Order = { by: auditEvent.createdAt, direction: "desc" };

/**
 * Actor and target match a whole id or a whole e-mail. A part of an e-mail would match thousands of users out of a
 * million.
 */
type Filters = { actor?: string; target?: string; action?: string; from?: string; to?: string };

type DescribeDevice = (userAgent: string | null) => Device | undefined;

/** Filters, and the time zone of their days. */
type Wanted = Filters & { timeZone?: string | undefined };

/** Loads the audit log for a URL, in one round trip. */
export async function loadAuditLog(
  db: Db,
  url: URL,
  describeDevice: DescribeDevice,
  timeZone?: string,
) {
  const params = readListParams(url, ["created"], "desc");
  const filters = readFilters(url, params);
  const wanted = { ...filters, timeZone };
  const limit = params.size * params.pages;
  const asked = [filters.actor ?? "", filters.target ?? ""];
  const [found, totals, people, things] = await db.batch([
    selectEvents(db, wanted, params.after, limit + 1),
    countEvents(db, wanted),
    db
      .select({ id: user.id, name: user.name, email: user.email })
      .from(user)
      .where(or(inArray(user.id, asked), inArray(user.email, asked))),
    selectNames(db, asked),
  ]);
  const { rows, last, hasMore } = readPage(found, limit);
  const shown = rows.map(({ details, userAgent, ...row }) => ({
    ...describeEvent({ ...row, details, userAgent }),
    ...{ details, userAgent, device: describeDevice(userAgent) },
  }));
  /** Returns the name of the actor or target in a filter. For something deleted it is the name in the events. */
  const nameOf = (asked: string | undefined, of: "actor" | "target") => {
    const person = people.find(({ id, email }) => id === asked || email === asked);
    const known = person ?? things.find(({ id }) => id === asked);
    if (known) return known.name || person?.email;
    return shown.find((row) => row[of]?.id === asked)?.[of]?.name;
  };
  return {
    rows: shown,
    filters,
    names: { actor: nameOf(filters.actor, "actor"), target: nameOf(filters.target, "target") },
    state: listState(params, {
      shown: shown.length,
      hasMore,
      total: readTotal(totals),
      cursor: last && { value: last.createdAt.getTime(), id: last.id },
    }),
  };
}

/** Yields all events that match a URL's filters, newest first, in chunks, for an export. */
export function exportAuditLog(
  db: Db,
  url: URL,
  describeDevice: DescribeDevice,
  timeZone?: string,
) {
  const filters = { ...readFilters(url, readListParams(url, ["created"], "desc")), timeZone };
  const nameOf = (party: Party | undefined) => party && (party.email ?? party.name ?? party.id);
  const select = async (after: After, limit: number) => selectEvents(db, filters, after, limit);
  return exportRows(select, (row) => {
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
}

/** Statement that selects the newest events, of an actor or a target, for a batch. Pass its rows to `describeEvent`. */
export function selectNewestEvents(db: Db, limit: number, of: Filters = {}) {
  return selectEvents(db, of, undefined, limit);
}

type EventRow = Awaited<ReturnType<typeof selectEvents>>[number];

/** Returns an event with the names of its actor and target. */
export function describeEvent(row: EventRow) {
  const { id, action, createdAt, place, ipAddress, details } = row;
  const person = (
    personId: string | null,
    email: string | null,
    name: string | null,
    avatar: string | null = null,
  ) => {
    if (personId === null) return undefined;
    const isTarget = personId === row.targetId;
    return {
      id: personId,
      type: "user",
      name: name || email || (isTarget ? nameIn(details) : undefined),
      email: email ?? undefined,
      avatar,
      isThere: email !== null,
    } satisfies Party;
  };
  return {
    ...{ id, action, createdAt, place, ipAddress },
    actor: person(row.actorId, row.actorEmail, row.actorName, row.actorAvatar),
    impersonator: person(row.impersonatorId, row.impersonatorEmail, row.impersonatorName),
    target:
      row.targetType === "user"
        ? person(row.targetId, row.targetEmail, row.targetName, row.targetAvatar)
        : thing(row),
    changes: changesOf(withNames(row)),
  };
}

/** The tables of the features' things, by their kind. */
const TABLES = Object.entries(THINGS).flatMap(([kind, thing]) =>
  thing ? [{ kind, table: sql.identifier(thing.table) }] : [],
);

/** Statement that finds the names of organizations and of the features' things. */
function selectNames(db: Db, ids: string[]) {
  const tables = [sql`${organization}`, ...TABLES.map(({ table }) => sql`${table}`)];
  const wanted = sql.join(
    ids.map((id) => sql`${id}`),
    sql`, `,
  );
  const rows = tables.map((table) => sql`SELECT id, name FROM ${table} WHERE id IN (${wanted})`);
  return db
    .select({ id: sql<string>`id`.as("id"), name: sql<string>`name`.as("name") })
    .from(sql`(${sql.join(rows, sql` UNION ALL `)})`);
}

/** SQL expression: the name of a feature's thing that is the target; NULL when it is gone, and for other targets. */
function nameOfThing(): SQL<string | null> {
  if (TABLES.length === 0) return sql`NULL`;
  const branches = TABLES.map(
    ({ kind, table }) =>
      sql`WHEN ${literal(kind)} THEN (SELECT name FROM ${table} WHERE id = ${auditEvent.targetId})`,
  );
  return sql`CASE ${auditEvent.targetType} ${sql.join(branches, sql` `)} END`;
}

/** Fields of details that hold an id, with the name or e-mail of what it is. */
const NAMED: Readonly<Record<string, SQL>> = {
  member: sql`SELECT coalesce(nullif(name, ''), email) FROM user`,
  invitation: sql`SELECT email FROM invitation`,
  ...Object.fromEntries(TABLES.map(({ kind, table }) => [kind, sql`SELECT name FROM ${table}`])),
};

/** SQL expression: the names of the ids in the details by their field; null where there is no id, or nothing has it. */
function namesInDetails() {
  const names = Object.entries(NAMED).map(
    ([field, rows]) =>
      sql`${literal(field)}, (${rows} WHERE id = ${auditEvent.details} ->> ${literal(field)})`,
  );
  return sql<string>`json_object(${sql.join(names, sql`, `)})`;
}

/** A name of our own in SQL, where a bound value would be one of the hundred that D1 takes. */
function literal(name: string): SQL {
  return sql.raw(`'${name}'`);
}

/** Puts names in the place of ids. An id of something that is gone says nothing to a reader and is left out. */
function withNames({ details, ...row }: EventRow) {
  if (!details) return details;
  const named: Record<string, string | null> = JSON.parse(row.namesInDetails);
  const fields = Object.keys(named).filter((field) => typeof details[field] === "string");
  const shown = Object.fromEntries(fields.map((field) => [field, named[field] ?? undefined]));
  return Object.fromEntries(
    Object.entries({ ...details, ...shown }).filter(([, value]) => value !== undefined),
  );
}

function thing({ targetId, targetType, details, ...row }: EventRow): Party | undefined {
  if (targetId === null || targetType === null) return undefined;
  const name = row.organizationName ?? row.thingName ?? row.mailRecipient;
  return {
    id: targetId,
    type: targetType,
    name: name ?? nameIn(details),
    email: row.mailRecipient ?? undefined,
    avatar: null,
    isThere: name !== null,
  };
}

function selectEvents(db: Db, filters: Wanted, after: After, limit: number) {
  const actor = alias(user, "actor");
  const target = alias(user, "target");
  const impersonator = alias(user, "impersonator");
  const order = sql.join(orderBy(NEWEST, auditEvent.id), sql`, `);
  // Each branch has an index in this order but their union has none, so the newest of each branch are sorted.
  const branches = branchesOf(filters).map(({ from, where }) => {
    const criteria = and(where, behind(NEWEST, auditEvent.id, after)) ?? sql`1`;
    return sql`SELECT created_at, id FROM (SELECT ${auditEvent.createdAt}, ${auditEvent.id} FROM ${from} WHERE ${criteria} ORDER BY ${order} LIMIT ${limit})`;
  });
  // A batch returns rows keyed by column name, so columns with equal names need aliases.
  return db
    .select({
      id: auditEvent.id,
      action: auditEvent.action,
      actorId: auditEvent.actorId,
      actorName: sql<string | null>`${actor.name}`.as("actor_name"),
      actorEmail: sql<string | null>`${actor.email}`.as("actor_email"),
      actorAvatar: sql<string | null>`${actor.avatar}`.as("actor_avatar"),
      impersonatorId: auditEvent.impersonatorId,
      impersonatorName: sql<string | null>`${impersonator.name}`.as("impersonator_name"),
      impersonatorEmail: sql<string | null>`${impersonator.email}`.as("impersonator_email"),
      targetType: auditEvent.targetType,
      targetId: auditEvent.targetId,
      targetName: sql<string | null>`${target.name}`.as("target_name"),
      targetEmail: sql<string | null>`${target.email}`.as("target_email"),
      targetAvatar: sql<string | null>`${target.avatar}`.as("target_avatar"),
      organizationName: sql<string | null>`${organization.name}`.as("organization_name"),
      thingName: nameOfThing().as("thing_name"),
      mailRecipient: mailOutbox.recipient,
      namesInDetails: namesInDetails().as("names_in_details"),
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
      organization,
      and(eq(auditEvent.targetType, "organization"), eq(organization.id, auditEvent.targetId)),
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
    .orderBy(...orderBy(NEWEST, auditEvent.id))
    .limit(limit);
}

function countEvents(db: Db, filters: Wanted) {
  const branches = branchesOf(filters).map(
    ({ from, where }) => sql`SELECT 1 FROM ${from} WHERE ${where ?? sql`1`}`,
  );
  return countRows(db, sql.join(branches, sql` UNION ALL `));
}

/** Reads the filters from the URL. Drops values that are not valid and adds a notice. */
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
 * Splits the filters into disjoint sets of events, each with the index that finds it. With an actor there are two: the
 * actor's own events, and those the actor caused while impersonating another user.
 */
function branchesOf({ actor, target, action, timeZone, ...days }: Wanted) {
  const { start, end } = momentsOf(days, timeZone);
  const rest = and(
    target ? isReferred(auditEvent.targetId, target) : undefined,
    action ? isAction(action) : undefined,
    start && gte(auditEvent.createdAt, start),
    end && lt(auditEvent.createdAt, end),
  );
  if (!actor) {
    const byAction = action && action !== SIGN_IN ? "audit_event_action" : undefined;
    const index = target ? "audit_event_target" : byAction;
    return [{ from: indexed(auditEvent, index), where: rest }];
  }
  return [
    {
      from: indexed(auditEvent, "audit_event_actor"),
      where: and(isReferred(auditEvent.actorId, actor), rest),
    },
    {
      from: indexed(auditEvent, "audit_event_impersonator"),
      where: and(
        isReferred(auditEvent.impersonatorId, actor),
        sql`${auditEvent.actorId} IS NOT ${auditEvent.impersonatorId}`,
        rest,
      ),
    },
  ];
}

/** The action that most events have. The index by action leaves it out. */
const SIGN_IN = "user.signed_in";

/** SQL condition: events of an action. For every action but sign-ins it adds the condition of the partial index. */
function isAction(action: string): SQL | undefined {
  const isRare = sql`${auditEvent.action} <> ${sql.raw(`'${SIGN_IN}'`)}`;
  return and(eq(auditEvent.action, action), action === SIGN_IN ? undefined : isRare);
}

/** SQL condition: a column has an id, or the id of the user with an e-mail. */
function isReferred(column: SQLiteColumn, reference: string): SQL {
  return reference.includes("@")
    ? sql`${column} = (SELECT ${user.id} FROM ${user} WHERE ${user.email} = ${reference})`
    : sql`${column} = ${reference}`;
}
