import { and, eq, isNotNull } from "drizzle-orm";
import { changeAndRecord } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { user } from "../../db/schema/schema.ts";
import { type Actor, eventBy } from "../audit/audit.server.ts";
import { type StoreError, storePicture } from "./picture-store.server.ts";

/** Gives a user a new picture under a new name. Errors: those of `storePicture`. */
export async function changeAvatar(
  { db, bucket }: { db: Db; bucket: R2Bucket },
  actor: Actor,
  bytes: Uint8Array,
): Promise<{ ok: true } | { ok: false; error: StoreError }> {
  const { actorId, source } = actor;
  const stored = await storePicture(bucket, { user: actorId }, bytes);
  if (!stored.ok) return stored;
  const avatar = stored.name;
  await changeAndRecord(db, {
    change: db.update(user).set({ avatar, updatedAt: source.now() }).where(eq(user.id, actorId)),
    event: eventBy(actor, "user.avatar_changed", { target: { type: "user", id: actorId } }),
  });
  return { ok: true };
}

/** Removes a user's picture from the row, so that initials are shown. `deletePicture` deletes the stored object. */
export async function clearAvatar(db: Db, actor: Actor): Promise<void> {
  const { actorId, source } = actor;
  await changeAndRecord(db, {
    change: db
      .update(user)
      .set({ avatar: null, updatedAt: source.now() })
      .where(and(eq(user.id, actorId), isNotNull(user.avatar))),
    event: eventBy(actor, "user.avatar_removed", { target: { type: "user", id: actorId } }),
  });
}
