import { and, count, desc, eq, sql } from "drizzle-orm";
import { changeAndRecord, recordAndChange } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { rowValues } from "../../db/row-values.ts";
import { user } from "../../db/schema/people.ts";
import { type Actor, eventBy } from "../audit/audit.server.ts";
import { MAX_METADATA, MAX_NOTES } from "./limits.ts";
import { userMetadata, userNote } from "./tables.server.ts";

type Saved =
  | { ok: true }
  | { ok: false; error: "not_found" }
  | { ok: false; error: "full" }
  /** Another manager has saved this value meanwhile. */
  | { ok: false; error: "conflict"; value: string | undefined };

/** Reads a user with all notes and metadata; undefined when there is no such user. */
export async function findNotes(db: Db, userId: string) {
  const [[found], notes, metadata] = await db.batch([
    db.select({ name: user.name, email: user.email }).from(user).where(eq(user.id, userId)),
    selectNotes(db, userId, MAX_NOTES),
    selectMetadata(db, userId),
  ]);
  return found && { title: found.name || found.email, notes, metadata };
}

/** Statement that reads the newest notes about a user, with the authors that still exist. */
export function selectNotes(db: Db, userId: string, limit: number) {
  return db
    .select({
      id: userNote.id,
      text: userNote.text,
      createdAt: userNote.createdAt,
      author: sql<string | null>`coalesce(nullif(${user.name}, ''), ${user.email})`.as("author"),
    })
    .from(userNote)
    .leftJoin(user, eq(user.id, userNote.authorId))
    .where(eq(userNote.userId, userId))
    .orderBy(desc(userNote.createdAt), desc(userNote.id))
    .limit(limit);
}

/** Statement that reads the metadata of a user, by name. */
export function selectMetadata(db: Db, userId: string) {
  return db
    .select({ name: userMetadata.name, value: userMetadata.value })
    .from(userMetadata)
    .where(eq(userMetadata.userId, userId))
    .orderBy(userMetadata.name);
}

/**
 * Adds a note about a user. Errors: "not_found", "full". The audit event does not repeat the text.
 */
export async function addNote(
  db: Db,
  actor: Actor,
  userId: string,
  text: string,
): Promise<Exclude<Saved, { error: "conflict" }>> {
  const row = rowValues(userNote, {
    id: crypto.randomUUID(),
    userId,
    authorId: actor.actorId,
    text,
    createdAt: actor.source.now(),
  });
  const ofUser = db.select({ count: count() }).from(userNote).where(eq(userNote.userId, userId));
  const { isChanged, users } = await changeAndRecord(db, {
    change: db
      .insert(userNote)
      .select(sql`SELECT ${row} WHERE ${isThere(db, userId)} AND ${ofUser} < ${MAX_NOTES}`),
    event: eventBy(actor, "note.added", { target: { type: "user", id: userId } }),
    after: { users: selectUser(db, userId) },
  });
  if (isChanged) return { ok: true };
  return { ok: false, error: users.length === 0 ? "not_found" : "full" };
}

/** Removes a note about a user. False when it is gone already. */
export async function removeNote(
  db: Db,
  actor: Actor,
  userId: string,
  id: string,
): Promise<boolean> {
  const { isChanged } = await changeAndRecord(db, {
    change: db.delete(userNote).where(and(eq(userNote.id, id), eq(userNote.userId, userId))),
    event: eventBy(actor, "note.removed", { target: { type: "user", id: userId } }),
  });
  return isChanged;
}

/**
 * Sets one value of a user's metadata. `was` is the value that the manager saw, "" for a new name;
 * where another is stored, nothing changes. Errors: "not_found", "full", "conflict".
 */
export async function setMetadata(
  db: Db,
  actor: Actor,
  userId: string,
  { name, value, was }: { name: string; value: string; was: string },
): Promise<Saved> {
  const isOne = and(eq(userMetadata.userId, userId), eq(userMetadata.name, name));
  const one = db.select({ value: userMetadata.value }).from(userMetadata).where(isOne);
  const ofUser = db
    .select({ count: count() })
    .from(userMetadata)
    .where(eq(userMetadata.userId, userId));
  const row = rowValues(userMetadata, { userId, name, value, updatedAt: actor.source.now() });
  const { isChanged, users, stored, counted } = await changeAndRecord(db, {
    change: db
      .insert(userMetadata)
      .select(
        sql`SELECT ${row} WHERE ${isThere(db, userId)} AND (EXISTS ${one} OR (${was} = '' AND ${ofUser} < ${MAX_METADATA}))`,
      )
      .onConflictDoUpdate({
        target: [userMetadata.userId, userMetadata.name],
        set: { value, updatedAt: actor.source.now() },
        setWhere: sql`${userMetadata.value} = ${was} AND ${userMetadata.value} <> ${value}`,
      }),
    event: eventBy(actor, "note.metadata_changed", {
      target: { type: "user", id: userId },
      details: {
        name,
        ...(was !== "" && { before: { metadata: was } }),
        after: { metadata: value },
      },
    }),
    after: { users: selectUser(db, userId), stored: one, counted: ofUser },
  });
  const [current] = stored;
  if (isChanged || current?.value === value) return { ok: true };
  if (users.length === 0) return { ok: false, error: "not_found" };
  const isFull = was === "" && (counted[0]?.count ?? 0) >= MAX_METADATA;
  if (!current && isFull) return { ok: false, error: "full" };
  return { ok: false, error: "conflict", value: current?.value };
}

/** Removes one value of a user's metadata. False when it is gone already. */
export async function removeMetadata(
  db: Db,
  actor: Actor,
  userId: string,
  name: string,
): Promise<boolean> {
  const isOne = and(eq(userMetadata.userId, userId), eq(userMetadata.name, name));
  const one = db.select({ value: userMetadata.value }).from(userMetadata).where(isOne);
  const { isChanged } = await recordAndChange(db, {
    when: sql`EXISTS ${one}`,
    event: eventBy(actor, "note.metadata_changed", {
      target: { type: "user", id: userId },
      details: sql`json_object('name', ${name}, 'before', json_object('metadata', ${one}))`,
    }),
    changes: () => ({ removed: db.delete(userMetadata).where(isOne) }),
  });
  return isChanged;
}

function selectUser(db: Db, userId: string) {
  return db.select({ id: user.id }).from(user).where(eq(user.id, userId));
}

function isThere(db: Db, userId: string) {
  return sql`EXISTS ${selectUser(db, userId)}`;
}
