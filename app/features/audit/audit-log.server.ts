import { and, eq, gte, lt, or, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import type { Db } from "../../db/db.server.ts";
import { jsonObject } from "../../db/json-object.ts";
import { readOf } from "../../db/read.server.ts";
import { auditEvent, mailOutbox, organization, user } from "../../db/schema/schema.ts";
import { momentsOf, readDayRange } from "../../lists/query/day-range.ts";
import { list, type Reader } from "../../lists/query/list.server.ts";
import type { ListNotice } from "../../lists/query/list-params.ts";
import type { Order } from "../../lists/query/list-query.server.ts";
import { onPage, orderBy } from "../../lists/query/page.server.ts";
import { indexed, type Part } from "../../lists/query/plan.server.ts";
import { Email } from "../../values/email.ts";
import { describeDevice } from "../../values/user-agent.server.ts";
import { THINGS } from "../access/things.ts";
import { AUDIT_ACTIONS } from "./actions.ts";
import type { Party } from "./audit-event.ts";
import { changesOf, nameIn, writeChange } from "./changes.ts";

const NEWEST: Order = { by: auditEvent.createdAt, direction: "desc" };
/** The table is kept in this order and has no index of ids alone. */
const KEY = [auditEvent.createdAt, auditEvent.id];

/**
 * Actor and target match a whole id or a whole e-mail. A part of an e-mail would match thousands of users out of a
 * million.
 */
type Filters = { actor?: string; target?: string; action?: string; from?: string; to?: string };

/** The audit events, the newest first. */
export const events = list({
  id: auditEvent.id,
  key: KEY,
  select: selectEvents,
  sorts: ["created"],
  orders: {
    created: { by: auditEvent.createdAt, valueOf: ({ createdAt }) => createdAt.getTime() },
  },
  orderOf: () => ({ sort: "created", direction: "desc" }),
  readFilters,
  parts: (filters, searchTerm, { timeZone }) => partsOf(filters, timeZone, searchTerm),
  show: (row) => {
    const { details, userAgent } = row;
    return { ...describeEvent(row), details, userAgent, device: describeDevice(userAgent) };
  },
  file: {
    when: ({ createdAt }) => createdAt,
    what: ({ action }) => action,
    who: (row) => writeParty(actorOf(row)),
    impersonator: (row) => writeParty(impersonatorOf(row)),
    kind: (row) => targetOf(row)?.type,
    "to whom": (row) => writeParty(targetOf(row)),
    place: ({ place }) => place,
    address: ({ ipAddress }) => ipAddress,
    device: ({ userAgent }) => {
      const device = describeDevice(userAgent);
      return device && `${device.browser}, ${device.system}`;
    },
    details: (row) => changesOf(withNames(row)).map(writeChange).join("; "),
  },
});

/** Loads the audit log for a URL, and the names in its filters, in one round trip. */
export async function loadAuditLog(db: Db, url: URL, reader: Reader) {
  const { filters } = readFilters(url);
  const asked = [filters.actor ?? "", filters.target ?? ""];
  const names = readOf(
    (one) => selectNames(one, asked),
    (rows) => rows,
  );
  const { loaded, beside } = await events.loadWith(db, url, reader, names);
  /** Returns the name of the actor or target in a filter. For something deleted it is the name in the events. */
  const nameOf = (reference: string | undefined, of: "actor" | "target") =>
    beside.find(({ id, email }) => id === reference || email === reference)?.name ??
    loaded.rows.find((row) => row[of]?.id === reference)?.[of]?.name;
  return {
    ...loaded,
    names: { actor: nameOf(filters.actor, "actor"), target: nameOf(filters.target, "target") },
  };
}

/** Statement that selects the newest events, of an actor or a target, for a batch. Pass its rows to `describeEvent`. */
export function selectNewestEvents(db: Db, limit: number, of: Filters = {}) {
  const where = onPage(auditEvent.id, partsOf(of), NEWEST, { limit, key: KEY });
  return selectEvents(db, where, orderBy(NEWEST, auditEvent.id));
}

type EventRow = Awaited<ReturnType<typeof selectEvents>>[number];

/** Returns an event with the names of its actor and target. */
export function describeEvent(row: EventRow) {
  const { id, action, createdAt, place, ipAddress } = row;
  return {
    id,
    action,
    createdAt,
    place,
    ipAddress,
    actor: actorOf(row),
    impersonator: impersonatorOf(row),
    target: targetOf(row),
    changes: changesOf(withNames(row)),
  };
}

function actorOf(row: EventRow) {
  const { actorId, actorEmail, actorName, actorAvatar } = row;
  return personOf(row, actorId, actorEmail, actorName, actorAvatar);
}

function impersonatorOf(row: EventRow) {
  return personOf(row, row.impersonatorId, row.impersonatorEmail, row.impersonatorName, null);
}

function targetOf(row: EventRow) {
  const { targetType, targetId, targetEmail, targetName, targetAvatar } = row;
  return targetType === "user"
    ? personOf(row, targetId, targetEmail, targetName, targetAvatar)
    : thing(row);
}

function personOf(
  { targetId, details }: EventRow,
  id: string | null,
  email: string | null,
  name: string | null,
  avatar: string | null,
) {
  if (id === null) return undefined;
  return {
    id,
    type: "user",
    name: name || email || (id === targetId ? nameIn(details) : undefined),
    email: email ?? undefined,
    avatar,
    isThere: email !== null,
  } satisfies Party;
}

/** Writes who or what it is into a file. */
function writeParty(party: Party | undefined): string | undefined {
  return party && (party.email ?? party.name ?? party.id);
}

/** The tables of the features' things, by their kind. */
const TABLES = Object.entries(THINGS).flatMap(([kind, thing]) =>
  thing ? [{ kind, table: sql.identifier(thing.table), title: sql.identifier(thing.title) }] : [],
);

/** Statement that finds the names of users by id or e-mail, and of organizations and the features' things by id. */
function selectNames(db: Db, references: string[]) {
  // A row for each reference and not for each table: D1 joins five selections at most.
  const rows = references.map((reference) => {
    const isUser = sql`${user} WHERE id = ${reference} OR email = ${reference}`;
    const names = [
      sql`(SELECT coalesce(nullif(name, ''), email) FROM ${isUser})`,
      ...[{ table: sql`${organization}`, title: sql`name` }, ...TABLES].map(
        ({ table, title }) => sql`(SELECT ${title} FROM ${table} WHERE id = ${reference})`,
      ),
    ];
    return sql`SELECT ${reference} AS id, (SELECT email FROM ${isUser}) AS email,
      coalesce(${sql.join(names, sql`, `)}) AS name`;
  });
  return db
    .select({
      id: sql<string>`id`.as("id"),
      email: sql<string | null>`email`.as("email"),
      name: sql<string>`name`.as("name"),
    })
    .from(sql`(${sql.join(rows, sql` UNION ALL `)})`)
    .where(sql`name IS NOT NULL`);
}

/** SQL expression: the name of a feature's thing that is the target; NULL when it is gone, and for other targets. */
function nameOfThing(): SQL<string | null> {
  if (TABLES.length === 0) return sql`NULL`;
  const branches = TABLES.map(
    ({ kind, table, title }) =>
      sql`WHEN ${literal(kind)} THEN (SELECT ${title} FROM ${table} WHERE id = ${auditEvent.targetId})`,
  );
  return sql`CASE ${auditEvent.targetType} ${sql.join(branches, sql` `)} END`;
}

/** Fields of details that hold an id, with the name or e-mail of what it is. */
const NAMED: Readonly<Record<string, SQL>> = {
  member: sql`SELECT coalesce(nullif(name, ''), email) FROM user`,
  invitation: sql`SELECT email FROM invitation`,
  ...Object.fromEntries(
    TABLES.map(({ kind, table, title }) => [kind, sql`SELECT ${title} FROM ${table}`]),
  ),
};

/** SQL expression: the names of the ids in the details by their field; null where there is no id, or nothing has it. */
function namesInDetails() {
  const names = Object.entries(NAMED).map(
    ([field, rows]) =>
      [field, sql`(${rows} WHERE id = ${auditEvent.details} ->> ${literal(field)})`] as const,
  );
  return sql<string>`${jsonObject(names)}`;
}

/** A name of our own in SQL, where a bound value would be one of the hundred that D1 takes. */
function literal(name: string): SQL {
  return sql.raw(`'${name}'`);
}

/** An id that got no name, because its thing is deleted. Other events hold a name in that field. */
const BARE_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Puts names in the place of ids. An id of something that is gone says nothing to a reader and is left out. */
function withNames({ details, ...row }: EventRow) {
  if (!details) return details;
  const named: Record<string, string | null> = JSON.parse(row.namesInDetails);
  const fields = Object.keys(named).filter((field) => typeof details[field] === "string");
  const kept = (field: string) => {
    const value = details[field];
    return typeof value === "string" && !BARE_ID.test(value) ? value : undefined;
  };
  const shown = Object.fromEntries(fields.map((field) => [field, named[field] ?? kept(field)]));
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

function selectEvents(db: Db, where: SQL, order: SQL[]) {
  const actor = alias(user, "actor");
  const target = alias(user, "target");
  const impersonator = alias(user, "impersonator");
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
    .where(where)
    .orderBy(...order);
}

/** Reads the filters from the URL. Drops values that are not valid and adds a notice. */
function readFilters(url: URL): { filters: Filters; notices: ListNotice[] } {
  const notices: ListNotice[] = [];
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
  const filters = {
    actor: read("actor", Reference),
    target: read("target", Reference),
    action: read("action", z.enum(AUDIT_ACTIONS)),
    ...days,
  };
  return { filters, notices };
}

const Id = z
  .string()
  .trim()
  .regex(/^[\w-]{1,64}$/);
const Reference = z.union([Email, Id]);

/**
 * Splits the filters into disjoint sets of events, each with the index that finds it. With an actor
 * there are two: the actor's own events, and those the actor caused while impersonating another
 * user. A term is a whole e-mail or id: of an actor, of what an event is about, or of a request.
 */
function partsOf(
  { actor, target, action, ...days }: Filters,
  timeZone?: string,
  searchTerm = "",
): Part[] {
  const term = searchTerm.trim();
  const { start, end } = momentsOf(days, timeZone);
  const rest = and(
    target ? isReferred(auditEvent.targetId, target) : undefined,
    action ? isAction(action) : undefined,
    start && gte(auditEvent.createdAt, start),
    end && lt(auditEvent.createdAt, end),
    actor && term ? or(...found(term).map(({ where }) => where)) : undefined,
  );
  if (!actor && term) {
    return found(term).map(({ index, where }) => ({
      from: indexed(auditEvent, index),
      where: and(where, rest),
    }));
  }
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

/** The sets of events that a whole e-mail or an id finds, which share no event. */
function found(term: string): { index: string; where: SQL | undefined }[] {
  const reference = term.includes("@") ? term.toLowerCase() : term;
  const isBy = isReferred(auditEvent.actorId, reference);
  const isThrough = isReferred(auditEvent.impersonatorId, reference);
  const isAbout = isReferred(auditEvent.targetId, reference);
  // In SQL, NULL is neither equal nor unequal to a value.
  const not = (condition: SQL) => sql`(${condition}) IS NOT TRUE`;
  return [
    { index: "audit_event_actor", where: isBy },
    { index: "audit_event_impersonator", where: and(isThrough, not(isBy)) },
    { index: "audit_event_target", where: and(isAbout, not(isBy), not(isThrough)) },
    {
      index: "audit_event_request",
      where: and(eq(auditEvent.requestId, term), not(isBy), not(isThrough), not(isAbout)),
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
