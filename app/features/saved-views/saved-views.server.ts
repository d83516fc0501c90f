import { and, asc, eq, type Placeholder } from "drizzle-orm";
import { type Db, isRuleViolation } from "../../db/db.server.ts";
import { savedView, session } from "../../db/schema/schema.ts";
import type { SavedView } from "../../lists/query/list-state.ts";
import { withoutPosition } from "../../lists/query/list-url.ts";

/** Statement that finds the views that the user with this session has of a list, by name. */
export function selectSavedViews(db: Db, token: Placeholder, list: Placeholder) {
  return db
    .select({ id: savedView.id, name: savedView.name, search: savedView.search })
    .from(session)
    .innerJoin(savedView, and(eq(savedView.userId, session.userId), eq(savedView.list, list)))
    .where(eq(session.token, token))
    .orderBy(asc(savedView.name));
}

type NewView = Omit<SavedView, "id"> & { userId: string; list: string; now: Date };

/**
 * Saves a list's query string under a name, in place of a view with the same name. False when the user has 20 views of
 * this list already.
 */
export async function saveView(db: Db, { search, now, ...view }: NewView): Promise<boolean> {
  const state = withoutPosition(search);
  try {
    await db
      .insert(savedView)
      .values({ id: crypto.randomUUID(), search: state, createdAt: now, ...view })
      .onConflictDoUpdate({
        target: [savedView.userId, savedView.list, savedView.name],
        set: { search: state, name: view.name },
      });
    return true;
  } catch (error) {
    if (isRuleViolation(error, "SAVED_VIEW_LIMIT")) return false;
    throw error;
  }
}

/** Deletes a view of the user. Nothing happens when the user does not have it. */
export async function deleteView(db: Db, userId: string, id: string): Promise<void> {
  await db.delete(savedView).where(and(eq(savedView.id, id), eq(savedView.userId, userId)));
}
