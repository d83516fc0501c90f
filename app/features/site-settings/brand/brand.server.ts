import { and, eq } from "drizzle-orm";
import { changeAndRecord } from "../../../db/change.server.ts";
import type { Db } from "../../../db/db.server.ts";
import { brand } from "../../../db/schema/schema.ts";
import type { AccentName } from "../../../values/accents.ts";
import { type Actor, eventBy } from "../../audit/audit.server.ts";
import type { BrandPicture } from "./brand.ts";
import { brandOfFields, fieldsOfBrand } from "./brand-values.ts";
import { iconSourceOf } from "./icons.ts";
import type { BrandInput } from "./input.ts";

export type StoredBrand = typeof brand.$inferSelect;

/** Returns the name and look as managers have set them. */
export async function getBrand(db: Db): Promise<StoredBrand> {
  const [row] = await db.select().from(brand);
  if (!row) throw new Error("The table brand has no row: apply the migrations");
  return row;
}

/** New pictures by field, null for a removed one, and the icons that the browser has made. */
export type PictureChanges = {
  pictures: { [Field in BrandPicture]?: string | null };
  icons: { [kind: string]: string } | undefined;
};

/**
 * Saves the values when the brand is still at `version`. Equal values change nothing and leave no
 * audit event. Returns the pictures that are not used any more. After a conflict these are the new
 * ones.
 */
export async function saveBrand(
  db: Db,
  actor: Actor,
  before: StoredBrand,
  { version, ...input }: BrandInput & { version: number },
  { pictures, icons, defaultAccent }: PictureChanges & { defaultAccent: AccentName },
): Promise<{ ok: boolean; unused: string[] }> {
  const { logoLight, logoDark, loginPicture } = { ...before, ...pictures };
  const values = { ...brandOfFields(input), logoLight, logoDark, loginPicture };
  const source = iconSourceOf(values, defaultAccent);
  const made = icons && source ? { ...icons, of: source } : undefined;
  const after = { ...values, icons: made ?? (before.icons?.of === source ? before.icons : null) };
  const changed = changedFields(before, after);
  const isSame = changed.length === 0 && made === undefined;
  const ok = isSame || (await store(db, actor, version, { before, after, changed }));
  const named = picturesOf(ok && !isSame ? after : before);
  const known = [...picturesOf(before), ...picturesOf({ ...pictures, icons: icons ?? null })];
  return { ok, unused: known.filter((name) => !named.includes(name)) };
}

type PictureNames = { [Field in BrandPicture]?: string | null } & Pick<StoredBrand, "icons">;

function picturesOf({ logoLight, logoDark, loginPicture, icons }: PictureNames): string[] {
  const { of: _, ...files } = icons ?? {};
  return [logoLight, logoDark, loginPicture, ...Object.values(files)].filter(
    (name) => typeof name === "string",
  );
}

type Values = Omit<StoredBrand, "id" | "version" | "updatedAt">;
type ShownFields = { [field: string]: string | null };

/** Icons are made from the other fields. */
function shownFields(values: Values): ShownFields {
  const { logoLight, logoDark, loginPicture } = values;
  return { ...fieldsOfBrand(values), logoLight, logoDark, loginPicture };
}

function changedFields(before: Values, after: Values): string[] {
  const [old, current] = [shownFields(before), shownFields(after)];
  return Object.keys(old).filter((field) => old[field] !== current[field]);
}

async function store(
  db: Db,
  actor: Actor,
  version: number,
  { before, after, changed }: { before: Values; after: Values; changed: string[] },
): Promise<boolean> {
  const change = db
    .update(brand)
    .set({ ...after, version: version + 1, updatedAt: actor.source.now() })
    .where(and(eq(brand.id, 1), eq(brand.version, version)));
  if (changed.length === 0) return (await change.run()).meta.changes > 0;
  const shown = (fields: ShownFields) =>
    Object.fromEntries(changed.map((field) => [field, fields[field]]));
  const details = { before: shown(shownFields(before)), after: shown(shownFields(after)) };
  const { isChanged } = await changeAndRecord(db, {
    change,
    event: eventBy(actor, "settings.changed", { details }),
  });
  return isChanged;
}
