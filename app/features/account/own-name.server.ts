import { eq, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { searchKey } from "../../db/fold.ts";
import { user } from "../../db/schema/schema.ts";
import { type Actor, auditChange } from "../audit/audit.server.ts";

/** Changes the name that a person goes by, at their own wish. */
export async function changeOwnName(
  db: Db,
  { actorId, source }: Actor,
  before: { name: string; email: string },
  name: string,
): Promise<void> {
  await db.batch([
    db
      .update(user)
      .set({
        name,
        searchKey: searchKey(name, before.email),
        updatedAt: source.now(),
        version: sql`${user.version} + 1`,
      })
      .where(eq(user.id, actorId)),
    auditChange(db, source, {
      action: "user.updated",
      actorId,
      target: { type: "user", id: actorId },
      details: { before: { name: before.name }, after: { name } },
    }),
  ]);
}
