import { and, eq, ne, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { searchKey } from "../../db/fold.ts";
import { user } from "../../db/schema/schema.ts";
import { type Actor, auditChange } from "../audit/audit.server.ts";

/**
 * Changes the name that a person goes by, at their own wish. The name they have already changes and records nothing.
 * False when their e-mail, which the search key holds too, was changed meanwhile.
 */
export async function changeOwnName(
  db: Db,
  { actorId, source }: Actor,
  before: { name: string; email: string },
  name: string,
): Promise<boolean> {
  const [, , found] = await db.batch([
    db
      .update(user)
      .set({
        name,
        searchKey: searchKey(name, before.email),
        updatedAt: source.now(),
        version: sql`${user.version} + 1`,
      })
      .where(and(eq(user.id, actorId), eq(user.email, before.email), ne(user.name, name))),
    auditChange(db, source, {
      action: "user.updated",
      actorId,
      target: { type: "user", id: actorId },
      details: { before: { name: before.name }, after: { name } },
    }),
    db.select({ name: user.name }).from(user).where(eq(user.id, actorId)),
  ]);
  return found[0]?.name === name;
}
