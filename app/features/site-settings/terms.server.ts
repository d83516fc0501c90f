import { and, eq, type SQL, sql } from "drizzle-orm";
import { changeAndRecord } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { siteSetting, user } from "../../db/schema/schema.ts";
import { type AuditSource, ownEvent } from "../audit/audit.server.ts";
import type { SettingDefaults } from "./public-settings.server.ts";

/**
 * Returns an SQL scalar: the version of the terms that users must accept, or null. As in `settingsInForce`, a version
 * needs a link to the terms.
 */
export function termsVersionInForce({ isDemo, terms }: SettingDefaults): SQL {
  if (isDemo) return sql`NULL`;
  const { url = null, version = null } = terms;
  return sql`(
    SELECT coalesce(${siteSetting.termsVersion}, ${version}) FROM ${siteSetting}
    WHERE coalesce(${siteSetting.termsUrl}, ${url}) IS NOT NULL
  )`;
}

/** True when a user has accepted some version of the terms. */
export async function hasAcceptedTerms(db: Db, userId: string): Promise<boolean> {
  const [row] = await db
    .select({ version: user.termsVersion })
    .from(user)
    .where(eq(user.id, userId));
  return Boolean(row?.version);
}

type Acceptance = { userId: string; version: string };

/**
 * Records that a user accepts a version of the terms, with the time. False when the version has
 * moved on meanwhile: then nothing is written.
 */
export async function acceptTerms(
  db: Db,
  defaults: SettingDefaults,
  source: AuditSource,
  { userId, version }: Acceptance,
): Promise<boolean> {
  const { isChanged } = await changeAndRecord(db, {
    change: db
      .update(user)
      .set({ termsVersion: version, termsAcceptedAt: source.now() })
      .where(and(eq(user.id, userId), sql`${termsVersionInForce(defaults)} = ${version}`)),
    event: ownEvent(source, userId, "user.terms_accepted", { termsVersion: version }),
  });
  return isChanged;
}
