import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { user } from "../../db/schema/schema.ts";
import { describeError, log } from "../../runtime/log.ts";
import { type Actor, auditChange } from "../audit/audit.server.ts";
import { isAvatarName } from "./picture-size.ts";
import { readWebp } from "./webp.ts";

/** A picture is stored before its row names it, so a new picture may have no row yet. */
const SWEEP_AGE_MS = 3_600_000;
const SWEEP_PAGE = 250;

/**
 * Gives a user a new picture under a new name. Error: `not_taken` when the bytes are no picture that we accept. The
 * picture is stored before the row names it. So a failure in between leaves a picture without a row, which the sweep
 * deletes, and never a row without a picture.
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

/** Removes a user's picture from the row, so that initials are shown. `removeAvatar` deletes the stored object. */
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

/** Deletes a picture that no row names any more. If that fails, the sweep deletes it later. */
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

/**
 * Answers a request for a picture: in full, as "not modified", or with 404. The content under a name never changes, so
 * the name is the ETag.
 */
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
 * Deletes all pictures that no user's row names, and returns their number. Each object's metadata names its user, so
 * that the rows are found by their key. An object without this metadata is not ours and stays.
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

/**
 * Returns the picture names in these users' rows. The list is one bound parameter, because a statement allows at most a
 * hundred.
 */
async function selectAvatars(db: Db, userIds: string[]): Promise<Set<string | null>> {
  if (userIds.length === 0) return new Set();
  const rows = await db
    .select({ avatar: user.avatar })
    .from(user)
    .where(sql`${user.id} IN (SELECT value FROM json_each(${JSON.stringify(userIds)}))`);
  return new Set(rows.map(({ avatar }) => avatar));
}
