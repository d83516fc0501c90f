import { and, eq } from "drizzle-orm";
import { changeAndRecord } from "../../../db/change.server.ts";
import type { Db } from "../../../db/db.server.ts";
import { brand } from "../../../db/schema/schema.ts";
import { type Actor, eventBy } from "../../audit/audit.server.ts";
import { brandOfFields, fieldsOfBrand } from "./brand-values.ts";
import type { BrandInput } from "./input.ts";

export type StoredBrand = typeof brand.$inferSelect;

type ShownFields = { [field: string]: string | null };

/** Pictures that the brand can have. */
export const LOGO_THEMES = ["light", "dark"] as const;

export type LogoTheme = (typeof LOGO_THEMES)[number];

/** Returns the name and look as managers have set them. */
export async function getBrand(db: Db): Promise<StoredBrand> {
  const [row] = await db.select().from(brand);
  if (!row) throw new Error("The table brand has no row: apply the migrations");
  return row;
}

/**
 * Saves the values when the brand is still at `version`. Equal values change nothing and leave no
 * audit event. False when it was changed meanwhile.
 */
export async function saveBrand(
  db: Db,
  actor: Actor,
  before: StoredBrand,
  { version, ...input }: BrandInput & { version: number },
): Promise<boolean> {
  const after = brandOfFields(input);
  const old: ShownFields = fieldsOfBrand(before);
  const current: ShownFields = fieldsOfBrand(after);
  const changed = Object.keys(old).filter((field) => old[field] !== current[field]);
  if (changed.length === 0) return true;
  const shown = (fields: ShownFields) =>
    Object.fromEntries(changed.map((field) => [field, fields[field]]));
  return change(db, actor, version, after, { before: shown(old), after: shown(current) });
}

/** Sets or removes the logo of a theme. Returns the name of the picture that it replaced. */
export async function changeBrandLogo(
  db: Db,
  actor: Actor,
  theme: LogoTheme,
  picture: string | null,
): Promise<{ ok: boolean; replaced: string | null }> {
  const field = theme === "light" ? "logoLight" : "logoDark";
  const before = await getBrand(db);
  if (before[field] === picture) return { ok: true, replaced: null };
  const details = { before: { [field]: before[field] }, after: { [field]: picture } };
  const ok = await change(db, actor, before.version, { [field]: picture }, details);
  return { ok, replaced: before[field] };
}

async function change(
  db: Db,
  actor: Actor,
  version: number,
  values: Partial<StoredBrand>,
  details: { before: Record<string, unknown>; after: Record<string, unknown> },
): Promise<boolean> {
  const { isChanged } = await changeAndRecord(db, {
    change: db
      .update(brand)
      .set({ ...values, version: version + 1, updatedAt: actor.source.now() })
      .where(and(eq(brand.id, 1), eq(brand.version, version))),
    event: eventBy(actor, "settings.changed", { details }),
  });
  return isChanged;
}
