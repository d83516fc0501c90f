import { and, eq } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { siteSetting } from "../../db/schema/schema.ts";
import { type Actor, auditChange } from "../audit/audit.server.ts";
import type { AccessInput } from "./input.ts";

export type SiteSettings = typeof siteSetting.$inferSelect;

/** Returns what managers have set. A migration has inserted the row. */
export async function getSiteSettings(db: Db): Promise<SiteSettings> {
  const [row] = await db.select().from(siteSetting);
  if (!row) throw new Error("The table site_setting has no row: apply the migrations");
  return row;
}

/**
 * Saves the settings that are still at `version`. Equal values change nothing and leave no audit event. False when they
 * were changed meanwhile.
 */
export async function saveAccess(
  db: Db,
  actor: Actor,
  before: SiteSettings,
  { version, ...after }: AccessInput & { version: number },
): Promise<boolean> {
  const { signUpMode } = before;
  if (signUpMode === after.signUpMode) return true;
  const { actorId, impersonatorId, source } = actor;
  const [updated] = await db.batch([
    db
      .update(siteSetting)
      .set({ ...after, version: version + 1, updatedAt: source.now() })
      .where(and(eq(siteSetting.id, 1), eq(siteSetting.version, version))),
    auditChange(db, source, {
      action: "settings.changed",
      actorId,
      impersonatorId,
      details: { before: { signUpMode }, after },
    }),
  ]);
  return updated.meta.changes > 0;
}
