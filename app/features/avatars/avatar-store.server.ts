import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { user } from "../../db/schema/schema.ts";
import { describeError, log } from "../../runtime/log.ts";
import { type Actor, auditChange } from "../audit/audit.server.ts";
import { isAvatarName } from "./picture-size.ts";
import { readWebp } from "./webp.ts";

/** A picture is put into the bucket before its row names it, so what is new has no row yet. */
const SWEEP_AGE_MS = 3_600_000;
const SWEEP_PAGE = 250;

/**
 * Gives a person a new picture, under a name of its own. `not_taken` when the bytes are none of ours to keep. The
 * picture is in the bucket before the row names it: a fault in between leaves a picture without a row, which the sweep
 * finds, and never a row without a picture.
 */
export async function changeAvatar(
  { db, bucket }: { db: Db; bucket: R2Bucket },
  { actorId, impersonatorId, source }: Actor,
  bytes: Uint8Array,
): Promise<{ ok: true } | { ok: false; error: "not_taken" }> {
  const picture = readWebp(bytes);
  if (!picture) return { ok: false, error: "not_taken" };
  const avatar = crypto.randomUUID();
  await bucket.put(avatar, picture, { customMetadata: { user: actorId } });
  await db.batch([
    db.update(user).set({ avatar, updatedAt: source.now() }).where(eq(user.id, actorId)),
    auditChange(db, source, {
      action: "user.avatar_changed",
      actorId,
      impersonatorId,
      target: { type: "user", id: actorId },
    }),
  ]);
  return { ok: true };
}

/** Takes a person's picture away, so that their initials stand in. The object itself goes with `removeAvatar`. */
export async function clearAvatar(
  db: Db,
  { actorId, impersonatorId, source }: Actor,
): Promise<void> {
  await db.batch([
    db
      .update(user)
      .set({ avatar: null, updatedAt: source.now() })
      .where(and(eq(user.id, actorId), isNotNull(user.avatar))),
    auditChange(db, source, {
      action: "user.avatar_removed",
      actorId,
      impersonatorId,
      target: { type: "user", id: actorId },
    }),
  ]);
}

/** Deletes a picture that no row names any more. What cannot be deleted now is left to the sweep. */
export async function removeAvatar(
  bucket: R2Bucket | undefined,
  name: string | null,
): Promise<void> {
  if (!bucket || !name) return;
  try {
    await bucket.delete(name);
  } catch (error) {
    log("warn", "avatar.not_deleted", describeError(error));
  }
}

/** Answers a request for a picture: whole, as "not modified", or as 404. A name's content never changes, so the name tags it. */
export async function answerAvatar(
  bucket: R2Bucket | undefined,
  name: string,
  request: Request,
): Promise<Response> {
  const etag = `"${name}"`;
  const isKnown = request.headers.get("if-none-match")?.includes(etag) ?? false;
  const object = bucket && isAvatarName(name) ? await bucket.get(name) : null;
  if (!object) return new Response("Not found\n", { status: 404 });
  return new Response(isKnown ? null : object.body, {
    status: isKnown ? 304 : 200,
    headers: {
      "Cache-Control": "private, max-age=31536000, immutable",
      "Content-Length": String(object.size),
      "Content-Type": "image/webp",
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
      ETag: etag,
    },
  });
}

/**
 * Deletes the pictures that no user's row names, whatever took the row or the name away, and answers how many. Each
 * picture says whose it is, so that the rows are found by their key; what says nothing is not ours to delete.
 */
export async function sweepAvatars(db: Db, bucket: R2Bucket, now: Date): Promise<number> {
  let deleted = 0;
  let cursor: string | undefined;
  do {
    const page = await bucket.list({
      cursor,
      limit: SWEEP_PAGE,
      include: ["customMetadata"],
    });
    const settled = page.objects.flatMap(({ key, uploaded, customMetadata }) =>
      customMetadata?.user && uploaded.getTime() < now.getTime() - SWEEP_AGE_MS
        ? [{ key, userId: customMetadata.user }]
        : [],
    );
    const named = await selectAvatars(
      db,
      settled.map(({ userId }) => userId),
    );
    const unnamed = settled.filter(({ key }) => !named.has(key)).map(({ key }) => key);
    if (unnamed.length > 0) await bucket.delete(unnamed);
    deleted += unnamed.length;
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor);
  return deleted;
}

/** The pictures that these users' rows name. One list is one bound parameter, of which a statement takes a hundred. */
async function selectAvatars(db: Db, userIds: string[]): Promise<Set<string | null>> {
  if (userIds.length === 0) return new Set();
  const rows = await db
    .select({ avatar: user.avatar })
    .from(user)
    .where(sql`${user.id} IN (SELECT value FROM json_each(${JSON.stringify(userIds)}))`);
  return new Set(rows.map(({ avatar }) => avatar));
}
