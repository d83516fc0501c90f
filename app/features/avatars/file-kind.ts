import { textAt } from "./bytes.ts";

/** Bytes at a file's start that tell its kind. */
export const KIND_BYTES = 1_024;

/** Brands of files with HEVC pictures, and of those that contain any kind. Source: ISO/IEC 23008-12, annex B. */
const HEIC_BRANDS = new Set(["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]);

/** Returns the kind of a file by its content, whatever its name and its declared type say. */
export function kindOfFile(
  start: Uint8Array,
): "webp" | "png" | "jpeg" | "heic" | "svg" | undefined {
  if (textAt(start, 0) === "RIFF" && textAt(start, 8) === "WEBP") return "webp";
  if (textAt(start, 0) === "\x89PNG") return "png";
  if (textAt(start, 0, 3) === "\xff\xd8\xff") return "jpeg";
  if (textAt(start, 4) === "ftyp" && HEIC_BRANDS.has(textAt(start, 8))) return "heic";
  const text = new TextDecoder().decode(start.subarray(0, KIND_BYTES)).trimStart();
  return text.startsWith("<") && /<svg\b/i.test(text) ? "svg" : undefined;
}
