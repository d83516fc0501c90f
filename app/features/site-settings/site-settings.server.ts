import { and, eq, sql } from "drizzle-orm";
import { changeAndRecord } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { rowValues } from "../../db/row-values.ts";
import { accessDomain, siteSetting } from "../../db/schema/schema.ts";
import { type Actor, eventBy } from "../audit/audit.server.ts";
import type { AccessInput } from "./input.ts";

export type AccessSettings = AccessInput & { version: number };

/** Returns what managers have set. */
export async function getAccessSettings(db: Db): Promise<AccessSettings> {
  const [[row], domains] = await db.batch([
    db.select().from(siteSetting),
    db.select().from(accessDomain).orderBy(accessDomain.domain),
  ]);
  if (!row) throw new Error("The table site_setting has no row: apply the migrations");
  const { id: _id, updatedAt: _updatedAt, ...settings } = row;
  const under = (rule: string) =>
    domains.filter((one) => one.rule === rule).map(({ domain }) => domain);
  return { ...settings, allowedDomains: under("allowed"), blockedDomains: under("blocked") };
}

/** Version of the settings before anyone saved them. */
const NEVER_SAVED = 1;

/**
 * Saves the settings that are still at `version`. Equal values change nothing and leave no audit
 * event; the first save of them counts all the same, because the set-up list asks for it. False
 * when they were changed meanwhile.
 */
export async function saveAccess(
  db: Db,
  actor: Actor,
  before: AccessSettings,
  { version, ...after }: AccessSettings,
): Promise<boolean> {
  const changed = (Object.keys(after) as (keyof AccessInput)[]).filter(
    (field) => String(before[field] ?? "") !== String(after[field] ?? ""),
  );
  const next = { version: version + 1, updatedAt: actor.source.now() };
  if (changed.length === 0) {
    const isFirst = eq(siteSetting.version, NEVER_SAVED);
    await db.update(siteSetting).set(next).where(isFirst);
    return true;
  }
  const { allowedDomains, blockedDomains, ...row } = after;
  const domains = [
    ...allowedDomains.map((domain) => ({ domain, rule: "allowed" })),
    ...blockedDomains.map((domain) => ({ domain, rule: "blocked" })),
  ];
  const { isChanged } = await changeAndRecord(db, {
    change: db
      .update(siteSetting)
      .set({ ...row, ...next })
      .where(and(eq(siteSetting.id, 1), eq(siteSetting.version, version))),
    event: eventBy(actor, "settings.changed", {
      details: { before: shownOf(before, changed), after: shownOf(after, changed) },
    }),
    next: (isSaved) => ({
      deleted: db.delete(accessDomain).where(sql`${isSaved}`),
      inserted: db.insert(accessDomain).select(
        sql`SELECT ${rowValues(accessDomain, {
          domain: sql`value ->> 'domain'`,
          rule: sql`value ->> 'rule'`,
        })} FROM json_each(${JSON.stringify(domains)}) WHERE ${isSaved}`,
      ),
    }),
  });
  return isChanged;
}

/** Returns the changed fields as the audit log shows them. */
function shownOf(settings: AccessInput, changed: (keyof AccessInput)[]) {
  return Object.fromEntries(
    changed.map((field) => {
      const value = settings[field];
      return [field, Array.isArray(value) ? value.join(", ") : value];
    }),
  );
}
