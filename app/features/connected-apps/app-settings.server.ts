import { and, eq, type SQL, sql } from "drizzle-orm";
import { changeAndRecord } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { readOf } from "../../db/read.server.ts";
import { type Actor, eventBy } from "../audit/audit.server.ts";
import type { AppSettings } from "./app-settings.ts";
import { oauthClient, oauthSetting } from "./tables.server.ts";

/** Returns what managers allow others to do with apps. */
export async function getAppSettings(db: Db): Promise<AppSettings & { version: number }> {
  return settingsIn(await selectAppSettings(db));
}

/** Statement that reads them, for `settingsIn`. */
export function selectAppSettings(db: Db) {
  return db.select().from(oauthSetting);
}

export function settingsIn([row]: Awaited<ReturnType<typeof selectAppSettings>>) {
  if (!row) throw new Error("The table oauth_setting has no row: apply the migrations");
  const { id: _id, updatedAt: _updatedAt, ...settings } = row;
  return settings;
}

/**
 * Saves the settings that are still at `version`; false when they were changed meanwhile. Equal
 * values change nothing and leave no event.
 */
export async function saveAppSettings(
  db: Db,
  actor: Actor,
  { version, ...after }: AppSettings & { version: number },
): Promise<boolean> {
  const { version: current, ...before } = await getAppSettings(db);
  const changed = (Object.keys(after) as (keyof AppSettings)[]).filter(
    (name) => before[name] !== after[name],
  );
  if (changed.length === 0 && version === current) return true;
  const shownOf = (settings: AppSettings) =>
    Object.fromEntries(changed.map((name) => [name, settings[name] ? "yes" : "no"]));
  const { isChanged } = await changeAndRecord(db, {
    change: db
      .update(oauthSetting)
      .set({ ...after, version: version + 1, updatedAt: actor.source.now() })
      .where(and(eq(oauthSetting.id, 1), eq(oauthSetting.version, version))),
    event: eventBy(actor, "settings.apps_changed", {
      details: { before: shownOf(before), after: shownOf(after) },
    }),
  });
  return isChanged;
}

/** Reads whether owners are offered the page with apps: some may be made, or there are some. */
export function areAppsOffered(organizationId: string | SQL<string>) {
  const has = eq(oauthClient.organizationId, organizationId);
  return readOf(
    (db) =>
      db
        .select({
          isOffered: sql<0 | 1>`(
            ${oauthSetting.organizationApps} = 1 OR EXISTS (SELECT 1 FROM ${oauthClient} WHERE ${has})
          )`.as("are_apps_offered"),
        })
        .from(oauthSetting),
    ([row]) => row?.isOffered === 1,
  );
}
