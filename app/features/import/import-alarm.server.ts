import { and, asc, eq, gt, isNull, lt, not, type SQL, sql } from "drizzle-orm";
import { isBannedAt } from "../../db/ban.ts";
import { changeAndRecord } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { searchKey } from "../../db/fold.ts";
import { rowValues } from "../../db/row-values.ts";
import { session, user } from "../../db/schema/schema.ts";
import type { Host } from "../../feature.server.ts";
import { describeError, log } from "../../runtime/log.ts";
import { loginLink } from "../../values/login-link.ts";
import { DAY_MS, MINUTE_MS } from "../../values/time.ts";
import { can } from "../access/permissions.ts";
import { type Actor, cronSource, eventBy } from "../audit/audit.server.ts";
import { checkLines, type Person } from "./check-lines.server.ts";
import { columnsFor } from "./columns.server.ts";
import { linesOf, outcomeOf } from "./import-commands.server.ts";
import { INVITATION_DAYS, LINES_AT_ONCE } from "./limits.ts";
import { userImport, userImportLine } from "./tables.server.ts";

/** When an import goes on after the database has failed. */
const AFTER_FAULT_MS = 5_000;

/** Parts of the worker that an import needs. */
export type ImportHost = Pick<Host, "db" | "keys"> & {
  config: Pick<Host["config"], "adminEmails" | "baseUrl">;
  mailer: Pick<Host["mailer"], "prepareForNew">;
};

/**
 * Makes users of the next lines of a running import, in one batch, and returns when to go on. The
 * lines are checked again, because rules and users may have changed since; so is the manager's
 * right, here and in the batch. Nothing is made twice: the batch asks which lines are still new,
 * and an e-mail is unique.
 */
export async function importLines(
  host: ImportHost,
  id: string,
  now: () => Date,
): Promise<Date | undefined> {
  try {
    return (await importSome(host, id, now())) ? now() : undefined;
  } catch (error) {
    log("error", "import.failed", { import: id, ...describeError(error) });
    return new Date(now().getTime() + AFTER_FAULT_MS);
  }
}

/** Returns true unless the import is finished, stopped or gone. */
async function importSome(host: ImportHost, id: string, now: Date): Promise<boolean> {
  const { db, keys, config, mailer } = host;
  const isRunning = and(eq(userImport.id, id), eq(userImport.state, "running"));
  const [[open], lines] = await db.batch([
    db
      .select({
        header: userImport.header,
        invites: userImport.invites,
        language: userImport.language,
        managerId: user.id,
        role: sql<string>`${user.role}`.as("manager_role"),
        sender: sql<string>`coalesce(nullif(${user.name}, ''), ${user.email})`.as("sender"),
      })
      .from(userImport)
      .innerJoin(user, eq(user.id, userImport.userId))
      .where(isRunning),
    db
      .select({ line: userImportLine.line, cells: userImportLine.cells })
      .from(userImportLine)
      .where(isNewIn(id))
      .orderBy(asc(userImportLine.line))
      .limit(LINES_AT_ONCE),
  ]);
  if (!open) return false;
  const manager = { role: open.role };
  const isAllowed = can(manager, "user", "create")
    ? sql`${isRunning} AND ${mayGoOn(open.role, now)}`
    : sql`false`;
  const checked = await checkLines(
    { db, keys, adminEmails: config.adminEmails },
    { manager, columns: columnsFor(open.header), lines, now },
  );
  const people = checked.filter((one) => one.state === "new").map(withId);
  const mails = await mailer.prepareForNew(
    open.invites ? people.map((person) => invitationOf(config.baseUrl, open, person, now)) : [],
    now,
  );
  const actor: Actor = { actorId: open.managerId, impersonatorId: null, source: cronSource(now) };
  const isStillAllowed = sql`EXISTS (SELECT 1 FROM ${userImport} WHERE ${isAllowed})`;
  const isStillNew = sql`EXISTS (
    SELECT 1 FROM ${userImportLine} WHERE ${isNewIn(id)} AND ${userImportLine.line} = person.value ->> 'line'
  )`;
  const others = checked.filter((one) => one.state !== "new");
  const { isChanged, written, stopped } = await changeAndRecord(db, {
    before: {
      // A trigger writes the audit event of each.
      users: db
        .insert(user)
        .select(
          sql`SELECT ${newUser(actor, now)} FROM json_each(${JSON.stringify(people.map(stored))}) AS person
          WHERE ${isStillAllowed} AND ${isStillNew}`,
        )
        .onConflictDoNothing(),
      written: mails.statement,
      lines: becomes(db, id, [...people, ...others], isStillAllowed),
      touched: db.update(userImport).set({ touchedAt: now }).where(isAllowed),
      stopped: db
        .update(userImport)
        .set({ state: "stopped", touchedAt: now })
        .where(and(isRunning, sql`NOT ${isStillAllowed}`))
        .returning({ id: userImport.id }),
    },
    change: db
      .update(userImport)
      .set({ state: "finished" })
      .where(and(isAllowed, sql`${linesOf(id, "new")} = 0`)),
    event: eventBy(actor, "users.imported", { details: outcomeOf(id) }),
  });
  await mails.send(written);
  return !isChanged && stopped.length === 0;
}

/** SQL condition: a line of an import that is not worked on yet. */
function isNewIn(id: string) {
  return and(eq(userImportLine.importId, id), eq(userImportLine.state, "new"));
}

/** SQL condition: the session of an import is there, and its manager has these roles and may come in. */
function mayGoOn(role: string, now: Date): SQL {
  return sql`EXISTS (SELECT 1 FROM ${session} JOIN ${user} ON ${user.id} = ${session.userId} WHERE ${and(
    eq(session.id, userImport.sessionId),
    eq(user.id, userImport.userId),
    gt(session.expiresAt, now),
    eq(user.role, role),
    isNull(user.deletionDueAt),
    not(isBannedAt(now)),
  )})`;
}

type Added = Person & { id: string };

function withId(person: Person): Added {
  return { ...person, id: crypto.randomUUID() };
}

/** Returns the values of a user's row that the line gives. */
function stored({ line, id, email, name, role, language }: Added) {
  return { line, id, email, name, role, language, searchKey: searchKey(name, email) };
}

/** Returns a new user's row, for a query of `person`. The e-mail is proven by the first code. */
function newUser({ actorId }: Actor, now: Date): SQL {
  return rowValues(user, {
    id: sql`person.value ->> 'id'`,
    email: sql`person.value ->> 'email'`,
    name: sql`person.value ->> 'name'`,
    role: sql`person.value ->> 'role'`,
    language: sql`person.value ->> 'language'`,
    searchKey: sql`person.value ->> 'searchKey'`,
    emailVerified: false,
    createdBy: actorId,
    createdAt: now,
    updatedAt: now,
    version: 1,
    image: null,
    avatar: null,
    theme: null,
    onboardedAt: null,
    lastSeenAt: null,
    banned: false,
    banReason: null,
    banExpires: null,
    deletionDueAt: null,
    erasureTriedAt: null,
    lastOrganizationId: null,
    passkeyReleaseUntil: null,
    devicesSince: null,
    invitation: null,
    entryLink: null,
    termsVersion: null,
    termsAcceptedAt: null,
  });
}

/**
 * Statement that writes what became of some lines: made where the user with the line's id is there,
 * known where somebody else had the e-mail before, or what the check says.
 */
function becomes(
  db: Db,
  id: string,
  found: readonly { line: number; id?: string; state?: string; field?: string; reason?: string }[],
  isAllowed: SQL,
) {
  const { line, state } = userImportLine;
  const outcome = (name: "id" | "state" | "field" | "reason") =>
    sql`outcome.value ->> ${sql.raw(`'${name}'`)}`;
  const isMade = sql`EXISTS (SELECT 1 FROM ${user} WHERE ${user.id} = ${outcome("id")})`;
  return db
    .update(userImportLine)
    .set({
      state: sql`CASE WHEN ${outcome("id")} IS NULL THEN ${outcome("state")} WHEN ${isMade} THEN 'made' ELSE 'known' END`,
      field: sql`${outcome("field")}`,
      reason: sql`${outcome("reason")}`,
    })
    .from(sql`json_each(${JSON.stringify(found)}) AS outcome`)
    .where(
      and(
        eq(userImportLine.importId, id),
        eq(line, sql`outcome.value ->> 'line'`),
        eq(state, "new"),
        isAllowed,
      ),
    );
}

type Inviting = Pick<typeof userImport.$inferSelect, "language"> & { sender: string };

function invitationOf(baseUrl: string, { sender, language }: Inviting, person: Added, now: Date) {
  const { id, email } = person;
  return {
    userId: id,
    recipient: email,
    language: person.language ?? language,
    expiresAt: new Date(now.getTime() + INVITATION_DAYS * DAY_MS),
    message: { kind: "user-added", inviter: sender, link: loginLink(baseUrl, email) } as const,
  };
}

/** Makes the alarm of an import ring. It never throws: what it misses, the cron does within two minutes. */
export async function ringImport(ring: Host["ring"], id: string): Promise<void> {
  try {
    await ring("import", id);
  } catch (error) {
    log("warn", "import.alarm_not_reached", { import: id, ...describeError(error) });
  }
}

/** Rings for running imports that have stood still for a minute: their alarm was lost. */
export async function wakeImports({ db, ring }: Pick<Host, "db" | "ring">, now: Date) {
  const isStill = lt(userImport.touchedAt, new Date(now.getTime() - MINUTE_MS));
  const still = await db
    .select({ id: userImport.id })
    .from(userImport)
    .where(and(eq(userImport.state, "running"), isStill));
  await Promise.all(still.map(({ id }) => ringImport(ring, id)));
}
