import {
  and,
  asc,
  eq,
  gt,
  isNotNull,
  isNull,
  lt,
  ne,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { changeAndRecord } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { searchKey } from "../../db/fold.ts";
import { idsIn } from "../../db/ids-in.ts";
import { rowValues } from "../../db/row-values.ts";
import { user } from "../../db/schema/schema.ts";
import type { Language } from "../../i18n/languages.ts";
import { loginLink } from "../../values/login-link.ts";
import { DAY_MS } from "../../values/time.ts";
import { can, type RoleHolder } from "../access/permissions.ts";
import { type Actor, eventBy } from "../audit/audit.server.ts";
import type { Mailer } from "../mail/outbox.server.ts";
import {
  type Checked,
  type CheckRules,
  checkLines,
  type Person,
  type Wrong,
} from "./check-lines.server.ts";
import { columnsFor, columnsOf } from "./columns.server.ts";
import { IMPORT_LIMITS, INVITATION_DAYS, MAX_LINES } from "./limits.ts";
import type { Line } from "./read-rows.ts";
import type { ImportedManager } from "./tables.server.ts";
import { userImport, userImportPiece } from "./tables.server.ts";

export type ImportServices = CheckRules & {
  mailer: Pick<Mailer, "prepareForNew">;
  baseUrl: string;
  /** The manager's name, for invitations. */
  sender: string;
  /** The manager's language, for people without one of their own. */
  language: Language;
  /** Starts work after the answer is sent. */
  afterAnswer: (work: () => Promise<unknown>) => void;
};

export type Importer = {
  actor: Actor;
  manager: RoleHolder;
  sessionId: string;
  /** True when the manager has proved who they are shortly before. */
  isProved: boolean;
};

/**
 * `gone`: the import was closed or deleted meanwhile. `running`: another import of the manager is not finished. `waiting`:
 * lines that another session of the manager has read wait for their start. `unproved`: a line has a manager's role, and the
 * manager has not proved who they are. `tooMany` and `limit`: it, or the hour, has too many lines.
 */
export type ImportRefusal = "gone" | "running" | "waiting" | "unproved" | "tooMany" | "limit";

type Result = { ok: true } | { ok: false; error: ImportRefusal };

export type Piece = { position: number; lines: Line[] };

const { importId, position, doneAt } = userImportPiece;

/**
 * Checks pieces of lines and keeps them until the import. The first piece begins it, under an id that the caller has made,
 * and closes an earlier one of the same session that is not running. A piece that is sent again changes nothing.
 */
export async function keepPieces(
  services: ImportServices,
  { actor, manager, sessionId, isProved }: Importer,
  given: { id: string; pieces: Piece[]; isLast: boolean },
): Promise<Result> {
  const { db } = services;
  const { id } = given;
  const now = actor.source.now();
  const [first, ...others] = given.pieces;
  if (!first) return { ok: false, error: "gone" };
  const isFirst = first.position === 0;
  const [headLine] = first.lines;
  const named = headLine && columnsOf(headLine[1]) ? headLine[1] : null;
  const header = isFirst ? named : await findHeader(db, actor, id);
  if (header === undefined) return { ok: false, error: "gone" };
  const pieces =
    isFirst && named ? [{ ...first, lines: first.lines.slice(1) }, ...others] : given.pieces;
  const lines = pieces.flatMap((piece) => piece.lines);
  const columns = columnsFor(header);
  const checked = await checkLines(services, {
    ...{ manager, importId: id, position: first.position, columns, lines, now },
  });

  if (!isProved && checked.people.some(isManager)) return { ok: false, error: "unproved" };
  if (isFirst) await begin(db, actor, { id, header: named, sessionId });
  const own = and(
    eq(userImport.id, id),
    isOfSession(sessionId),
    ownOpen(actor),
    isNull(userImport.readAt),
  );
  const last = given.pieces.at(-1)?.position ?? 0;
  const isKept = sql`EXISTS (SELECT 1 FROM ${userImportPiece} WHERE ${and(eq(importId, id), eq(position, last))})`;
  const [kept] = await db.batch([
    db
      .insert(userImportPiece)
      .select(
        sql`SELECT ${rowValues(userImportPiece, {
          importId: id,
          position: sql`piece.value ->> 'position'`,
          lines: sql`piece.value -> 'lines'`,
          lineCount: sql`json_array_length(piece.value, '$.lines')`,
          emails: sql`piece.value -> 'emails'`,
          newCount: sql`json_array_length(piece.value, '$.emails')`,
          knownCount: sql`piece.value ->> 'known'`,
          wrong: sql`piece.value -> 'wrong'`,
          wrongCount: sql`json_array_length(piece.value, '$.wrong')`,
          doneAt: null,
          managers: sql`piece.value -> 'managers'`,
        })} FROM json_each(${JSON.stringify(pieces.map((piece) => foundIn(checked, piece)))}) AS piece
        WHERE EXISTS (SELECT 1 FROM ${userImport} WHERE ${own})
          AND ${linesOf(id)} + ${lines.length} <= ${MAX_LINES}
          AND ${linesOfHour(actor, now)} + ${lines.length} <= ${IMPORT_LIMITS.lines.max}`,
      )
      .onConflictDoNothing()
      .returning({ position }),
    db
      .update(userImport)
      .set({ lineCount: linesOf(id), touchedAt: now, ...(given.isLast && { readAt: now }) })
      .where(and(own, isKept)),
  ]);
  if (kept.length > 0) return { ok: true };
  return explain(db, actor, { id, position: last, count: lines.length });
}

function isManager(person: Person): boolean {
  return can(person, "apps", "manager");
}

/** SQL condition: an import of the manager that is not closed. */
function ownOpen({ actorId }: Actor): SQL {
  return sql`${and(eq(userImport.userId, actorId), isNull(userImport.closedAt))}`;
}

/** SQL condition: an import that makes users, and is not finished. */
function isRunning(): SQL {
  return sql`${and(isNotNull(userImport.startedAt), isNull(userImport.finishedAt))}`;
}

/** SQL expression: the lines that an import keeps. */
function linesOf(id: string): SQL<number> {
  return sumOf(userImportPiece.lineCount, id);
}

function sumOf(count: SQLWrapper, id: string): SQL<number> {
  return sql`(SELECT coalesce(sum(${count}), 0) FROM ${userImportPiece} WHERE ${importId} = ${id})`;
}

/** SQL expression: the lines that the manager has sent within the limit's hour. */
function linesOfHour({ actorId }: Actor, now: Date): SQL<number> {
  const since = new Date(now.getTime() - IMPORT_LIMITS.lines.windowMs);
  const isRecent = and(eq(userImport.userId, actorId), gt(userImport.createdAt, since));
  return sql`(SELECT coalesce(sum(${userImport.lineCount}), 0) FROM ${userImport} WHERE ${isRecent})`;
}

/**
 * Begins an import, unless the manager has one that is running, or one of another session that waits for its start: lines
 * that the manager has checked there are not replaced unseen. Any other earlier one is closed.
 */
async function begin(
  db: Db,
  actor: Actor,
  { id, header, sessionId }: { id: string; header: string[] | null; sessionId: string },
): Promise<void> {
  const now = actor.source.now();
  const others = and(
    ownOpen(actor),
    ne(userImport.id, id),
    not(isRunning()),
    or(isNull(userImport.readAt), isNotNull(userImport.finishedAt), isOfSession(sessionId)),
  );
  await db.batch([
    db.update(userImport).set({ closedAt: now }).where(others),
    deleteClosed(db, actor),
    db
      .insert(userImport)
      .select(
        sql`SELECT ${rowValues(userImport, {
          id,
          userId: actor.actorId,
          sessionId,
          header,
          lineCount: 0,
          invites: false,
          ...{ readAt: null, startedAt: null, finishedAt: null, closedAt: null },
          ...{ touchedAt: now, createdAt: now },
        })} WHERE NOT EXISTS (SELECT 1 FROM ${userImport} WHERE ${ownOpen(actor)})`,
      )
      .onConflictDoNothing(),
  ]);
}

/** SQL condition: a session has read an import. */
function isOfSession(sessionId: string): SQL {
  return eq(userImport.sessionId, sessionId);
}

/** Statement that deletes the lines of the manager's closed imports. */
function deleteClosed(db: Db, { actorId }: Actor) {
  const isClosed = and(eq(userImport.userId, actorId), isNotNull(userImport.closedAt));
  return db
    .delete(userImportPiece)
    .where(sql`${importId} IN (SELECT ${userImport.id} FROM ${userImport} WHERE ${isClosed})`);
}

/** Returns the header of an import that takes lines; null without one, undefined without such an import. */
async function findHeader(db: Db, actor: Actor, id: string): Promise<string[] | null | undefined> {
  const [found] = await db
    .select({ header: userImport.header })
    .from(userImport)
    .where(and(eq(userImport.id, id), ownOpen(actor)));
  return found?.header;
}

/** Returns a piece with what was found out about its lines. */
function foundIn({ people, known, wrong }: Checked, { position: at, lines }: Piece) {
  const numbers = new Set(lines.map(([line]) => line));
  const own = <One extends { line: number }>(all: One[]) =>
    all.filter(({ line }) => numbers.has(line));
  return {
    ...{ position: at, lines, known: own(known).length, wrong: own(wrong) },
    emails: own(people).map(({ email }) => email),
    managers: own(people)
      .filter(isManager)
      .map(({ email, role }) => ({ email, role })),
  };
}

/** Finds out why a piece was not written now: it is there already, or it is refused. */
async function explain(
  db: Db,
  actor: Actor,
  { id, position: at, count }: { id: string; position: number; count: number },
): Promise<Result> {
  const [[piece], [open]] = await db.batch([
    db
      .select({ at: position })
      .from(userImportPiece)
      .innerJoin(userImport, and(eq(userImport.id, importId), ownOpen(actor)))
      .where(and(eq(importId, id), eq(position, at))),
    db
      .select({ id: userImport.id, startedAt: userImport.startedAt, kept: linesOf(id) })
      .from(userImport)
      .where(ownOpen(actor)),
  ]);
  if (piece) return { ok: true };
  if (!open) return { ok: false, error: "gone" };
  if (open.id !== id) return { ok: false, error: open.startedAt ? "running" : "waiting" };
  return { ok: false, error: open.kept + count > MAX_LINES ? "tooMany" : "limit" };
}

/**
 * Starts an import whose lines have all arrived, in the session that sent them: another session may hold lines that the
 * manager has never seen. Errors: `gone`, also when it makes no user, has started before or is another session's.
 */
export async function startImport(
  db: Db,
  { actor, sessionId }: Pick<Importer, "actor" | "sessionId">,
  { id, invites }: { id: string; invites: boolean },
): Promise<Result> {
  const now = actor.source.now();
  const isReady = and(
    ...[eq(userImport.id, id), ownOpen(actor), isOfSession(sessionId)],
    isNotNull(userImport.readAt),
    ...[isNull(userImport.startedAt), sql`${sumOf(userImportPiece.newCount, id)} > 0`],
  );
  const details = sql<string>`json_object(
    'lines', ${linesOf(id)},
    'known', ${sumOf(userImportPiece.knownCount, id)},
    'wrong', ${sumOf(userImportPiece.wrongCount, id)},
    'left', ${sumOf(userImportPiece.newCount, id)}
  )`;
  const { isChanged } = await changeAndRecord(db, {
    change: db.update(userImport).set({ startedAt: now, touchedAt: now, invites }).where(isReady),
    event: eventBy(actor, "users.import_started", { details }),
  });
  return isChanged ? { ok: true } : { ok: false, error: "gone" };
}

/**
 * Makes users of the next piece of a started import, in one batch. Its lines are checked again, because rules and users
 * may have changed since; a manager's role is given only to people who were shown before the start. Nothing is made
 * twice: the batch asks whether the piece is done, and the e-mail is unique. After the last piece the import is
 * finished. Errors: `gone`.
 */
export async function importNext(
  services: ImportServices,
  { actor, manager }: Pick<Importer, "actor" | "manager">,
  id: string,
): Promise<Result> {
  const { db, mailer, afterAnswer } = services;
  const now = actor.source.now();
  const isStarted = and(eq(userImport.id, id), ownOpen(actor), isNotNull(userImport.startedAt));
  const [next] = await db
    .select({
      header: userImport.header,
      invites: userImport.invites,
      position,
      lines: userImportPiece.lines,
      managers: userImportPiece.managers,
    })
    .from(userImport)
    .leftJoin(userImportPiece, and(eq(importId, userImport.id), isNull(doneAt)))
    .where(isStarted)
    .orderBy(asc(position))
    .limit(1);
  if (!next) return { ok: false, error: "gone" };
  const { position: at, lines } = next;
  if (at === null || lines === null) return { ok: true };
  const checked = await checkLines(services, {
    ...{ manager, importId: id, position: at, lines, now, columns: columnsFor(next.header) },
  });
  const { people, known, wrong } = withoutUnseen(checked, next.managers ?? []);
  const added = people.map((person) => ({ ...person, id: crypto.randomUUID() }));
  const isUndone = sql`EXISTS (
    SELECT 1 FROM ${userImportPiece} JOIN ${userImport} ON ${userImport.id} = ${importId}
    WHERE ${and(eq(importId, id), eq(position, at), isNull(doneAt), isStarted)}
  )`;
  const mails = await mailer.prepareForNew(
    next.invites ? added.map((person) => invitationOf(services, person, now)) : [],
    now,
  );
  const ids = added.map((person) => person.id);
  const created = sql<number>`(SELECT count(*) FROM ${user} WHERE ${idsIn(user.id, ids)})`;
  const isLast = sql`NOT EXISTS (SELECT 1 FROM ${userImportPiece} WHERE ${and(eq(importId, id), isNull(doneAt))})`;
  const { written } = await changeAndRecord(db, {
    before: {
      // A trigger writes the audit event of each.
      users: db
        .insert(user)
        .select(
          sql`SELECT ${newUser(actor, now)} FROM json_each(${JSON.stringify(added.map(stored))}) AS person WHERE ${isUndone}`,
        )
        .onConflictDoNothing(),
      written: mails.statement,
      piece: db
        .update(userImportPiece)
        .set({
          doneAt: now,
          newCount: created,
          knownCount: sql`${known.length + added.length} - ${created}`,
          ...{ wrong, wrongCount: wrong.length },
        })
        .where(and(eq(importId, id), eq(position, at), isNull(doneAt), isUndone)),
      touched: db.update(userImport).set({ touchedAt: now }).where(isStarted),
    },
    change: db
      .update(userImport)
      .set({ finishedAt: now })
      .where(and(isStarted, isNull(userImport.finishedAt), isLast)),
    event: eventBy(actor, "users.imported", { details: outcomeOf(id) }),
  });
  afterAnswer(() => mails.send(written));
  return { ok: true };
}

/** Refuses lines that give a manager's role, when the preview did not show that e-mail with the role. */
function withoutUnseen(checked: Checked, shown: readonly ImportedManager[]): Checked {
  const isUnseen = (person: Person) =>
    isManager(person) && !shown.some(({ email }) => email === person.email);
  const unseen = checked.people.filter(isUnseen).map(
    ({ line, role }): Wrong => ({
      line,
      field: "role",
      value: role,
      reason: "import:reason.unseen",
    }),
  );
  return {
    ...checked,
    people: checked.people.filter((person) => !isUnseen(person)),
    wrong: [...checked.wrong, ...unseen],
  };
}

type Added = Person & { id: string };

/** Returns the values of a user's row that the line gives. */
function stored({ id, email, name, role, language }: Added) {
  return { id, email, name, role, language, searchKey: searchKey(name, email) };
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
    ...{ emailVerified: false, createdBy: actorId, createdAt: now, updatedAt: now, version: 1 },
    ...{ image: null, avatar: null, theme: null, onboardedAt: null, lastSeenAt: null },
    ...{ banned: false, banReason: null, banExpires: null, deletionDueAt: null },
    ...{
      erasureTriedAt: null,
      lastOrganizationId: null,
      passkeyReleaseUntil: null,
      devicesSince: null,
    },
    ...{ termsVersion: null, termsAcceptedAt: null },
  });
}

function invitationOf({ baseUrl, sender, language }: ImportServices, person: Added, now: Date) {
  const { id, email } = person;
  const link = loginLink(baseUrl, email);
  return {
    ...{ userId: id, recipient: email, language: person.language ?? language },
    expiresAt: new Date(now.getTime() + INVITATION_DAYS * DAY_MS),
    message: { kind: "user-added", inviter: sender, link } as const,
  };
}

/** SQL expression: the details of the event that ends an import. */
function outcomeOf(id: string): SQL<string> {
  const { newCount, knownCount, wrongCount } = userImportPiece;
  const created = sumOf(sql`iif(${doneAt} IS NULL, 0, ${newCount})`, id);
  return sql`json_object(
    'lines', ${linesOf(id)},
    'created', ${created},
    'known', ${sumOf(knownCount, id)},
    'wrong', ${sumOf(wrongCount, id)},
    'left', ${sumOf(sql`iif(${doneAt} IS NULL, ${newCount}, 0)`, id)},
    'invitations', (SELECT iif(${userImport.invites}, ${created}, 0) FROM ${userImport} WHERE ${userImport.id} = ${id})
  )`;
}

/** Closes an import, so that the manager can begin another. One that is running ends with its event. */
export async function closeImport(db: Db, actor: Actor, id: string): Promise<void> {
  const now = actor.source.now();
  const isOwn = and(eq(userImport.id, id), ownOpen(actor));
  await changeAndRecord(db, {
    change: db.update(userImport).set({ closedAt: now }).where(and(isOwn, isRunning())),
    event: eventBy(actor, "users.imported", { details: outcomeOf(id) }),
    after: {
      closed: db.update(userImport).set({ closedAt: now }).where(isOwn),
      deleted: deleteClosed(db, actor),
    },
  });
}

/** Deletes imports a day after their last step. */
export async function pruneImports(db: Db, now: Date): Promise<void> {
  await db.delete(userImport).where(lt(userImport.touchedAt, new Date(now.getTime() - DAY_MS)));
}
