import { and, eq, ne, sql } from "drizzle-orm";
import { changeAndRecord } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { searchKey } from "../../db/fold.ts";
import { user } from "../../db/schema/schema.ts";
import { type Actor, ownEvent } from "../audit/audit.server.ts";

/**
 * Changes the user's own name. An equal name changes and records nothing. False when the e-mail changed meanwhile,
 * because the search key holds it too.
 */
export async function changeOwnName(
  db: Db,
  { actorId, source }: Actor,
  before: { name: string; email: string },
  name: string,
): Promise<boolean> {
  const { found } = await changeAndRecord(db, {
    change: db
      .update(user)
      .set({
        name,
        searchKey: searchKey(name, before.email),
        updatedAt: source.now(),
        version: sql`${user.version} + 1`,
      })
      .where(and(eq(user.id, actorId), eq(user.email, before.email), ne(user.name, name))),
    event: ownEvent(source, actorId, "user.updated", {
      before: { name: before.name },
      after: { name },
    }),
    after: { found: db.select({ name: user.name }).from(user).where(eq(user.id, actorId)) },
  });
  return found[0]?.name === name;
}
