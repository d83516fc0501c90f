import { cleanPicture } from "../../features/avatars/clean-picture.ts";
import {
  type CleanPicture,
  PICTURE_MAX_BYTES,
  PICTURE_MAX_SIDE_PX,
  WIDE_MAX_SIDE_PX,
} from "../../features/avatars/picture-size.ts";
import { putPicture } from "../../features/avatars/picture-store.server.ts";
import type { PictureChanges } from "../../features/site-settings/brand/brand.server.ts";
import { BRAND_PICTURES, type BrandPicture } from "../../features/site-settings/brand/brand.ts";
import {
  BRAND_ICON_NAMES,
  BRAND_ICONS,
  type BrandIcon,
} from "../../features/site-settings/brand/icons.ts";

/** The posted pictures that are valid, and the errors of the others, by field. */
type BrandFiles = {
  pictures: Map<BrandPicture, CleanPicture>;
  icons: Map<BrandIcon, CleanPicture> | undefined;
  errors: Record<string, string[]>;
};

/**
 * Reads the pictures of the posted form. Icons count only if all are there, as PNG of their size.
 */
export async function readBrandFiles(form: FormData, canStore: boolean): Promise<BrandFiles> {
  const pictures = new Map<BrandPicture, CleanPicture>();
  const errors: Record<string, string[]> = {};
  for (const name of BRAND_PICTURES) {
    const file = fileIn(form, name);
    if (!file) continue;
    const maxSide = name === "loginPicture" ? WIDE_MAX_SIDE_PX : PICTURE_MAX_SIDE_PX;
    const read = canStore ? await readFile(file, maxSide) : "settings:brand.noPictures";
    if (typeof read === "string") errors[name] = [read];
    else pictures.set(name, read);
  }
  return { pictures, icons: canStore ? await readIcons(form) : undefined, errors };
}

/** Stores the pictures of a form. */
export async function storeBrandFiles(
  bucket: R2Bucket | undefined,
  { pictures, icons }: BrandFiles,
  isRemoved: (name: BrandPicture) => boolean,
): Promise<PictureChanges> {
  const removed = BRAND_PICTURES.filter(isRemoved).map((name) => [name, null] as const);
  if (!bucket) return { pictures: Object.fromEntries(removed), icons: undefined };
  const put = async <Name>([name, picture]: [Name, CleanPicture]) =>
    [name, await putPicture(bucket, { look: "yes" }, picture)] as const;
  const stored = await Promise.all([...pictures].map(put));
  const made = icons && Object.fromEntries(await Promise.all([...icons].map(put)));
  return { pictures: Object.fromEntries([...removed, ...stored]), icons: made };
}

/** A browser sends an empty file when none was chosen. */
function fileIn(form: FormData, name: string): File | undefined {
  const file = form.get(name);
  return file instanceof File && file.size > 0 ? file : undefined;
}

async function readFile(file: File, maxSide: number): Promise<CleanPicture | string> {
  if (file.size > PICTURE_MAX_BYTES) return "pictures:tooLarge";
  const cleaned = cleanPicture(new Uint8Array(await file.arrayBuffer()), maxSide);
  if (cleaned.ok) return cleaned.picture;
  const isWide = maxSide === WIDE_MAX_SIDE_PX;
  return `pictures:${cleaned.error}${isWide && cleaned.error === "tooManyPixels" ? "Wide" : ""}`;
}

async function readIcons(form: FormData): Promise<Map<BrandIcon, CleanPicture> | undefined> {
  const icons = new Map<BrandIcon, CleanPicture>();
  for (const name of BRAND_ICON_NAMES) {
    const file = fileIn(form, name);
    const icon = file && (await readFile(file, BRAND_ICONS[name].side));
    if (!icon || typeof icon === "string" || icon.type !== "image/png") return undefined;
    const { side } = BRAND_ICONS[name];
    if (icon.width !== side || icon.height !== side) return undefined;
    icons.set(name, icon);
  }
  return icons;
}
