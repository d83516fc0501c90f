import { kindOfFile } from "./file-kind.ts";
import { cleanJpeg } from "./jpeg.ts";
import { type CleanPicture, PICTURE_MAX_BYTES, type PictureFault } from "./picture-size.ts";
import { cleanPng } from "./png.ts";
import { cleanWebp } from "./webp.ts";

const CLEANERS = { webp: cleanWebp, png: cleanPng, jpeg: cleanJpeg };

/**
 * Returns a picture as a new file without metadata, which holds only the parts that a decoder needs. The type is the
 * content's. Errors: `heic`, `svg` and those of `PictureFault`.
 */
export function cleanPicture(
  bytes: Uint8Array,
  maxSide?: number,
): { ok: true; picture: CleanPicture } | { ok: false; error: PictureFault | "heic" | "svg" } {
  const kind = kindOfFile(bytes);
  if (kind === "heic" || kind === "svg") return { ok: false, error: kind };
  if (!kind || bytes.length > PICTURE_MAX_BYTES) return { ok: false, error: "notTaken" };
  const picture = CLEANERS[kind](bytes, maxSide);
  return typeof picture === "string" ? { ok: false, error: picture } : { ok: true, picture };
}
