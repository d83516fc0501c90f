import { joined, textAt, viewOf } from "./bytes.ts";
import {
  type CleanPicture,
  isTooBroad,
  PICTURE_MAX_SIDE_PX,
  type PictureFault,
} from "./picture-size.ts";

const SIGNATURE = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Length and kind before a chunk's data, and the checksum after it. */
const AROUND_DATA = 12;

/** Depths of the colour types: grey, RGB, palette, grey with alpha, RGBA. Source: PNG, table 12. */
const DEPTHS: Record<number, number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
const PALETTE = 3;

/** Chunks of an animation (APNG). */
const ANIMATION = ["acTL", "fcTL", "fdAT"];

type Header = { width: number; height: number; colourType: number };
type Chunk = { kind: string; whole: Uint8Array };

/**
 * Returns a PNG with only the chunks of its pixels: header, palette, transparency and data. Texts, times, EXIF and
 * colour profiles are left out. Source: Portable Network Graphics (third edition), sections 5, 11 and 13.
 */
export function cleanPng(
  bytes: Uint8Array,
  maxSide: number = PICTURE_MAX_SIDE_PX,
): CleanPicture | PictureFault {
  const header = readHeader(bytes);
  if (!header) return "notTaken";
  if (isTooBroad(header, maxSide)) return "tooManyPixels";
  const chunks = readChunks(bytes);
  if (!chunks) return "notTaken";
  if (chunks.some(({ kind }) => ANIMATION.includes(kind))) return "animated";
  const { width, height, colourType } = header;
  const kept = chunks.filter(({ kind }) => isKept(kind, colourType));
  const order = kept.map(({ kind }) => kind).join(" ");
  const isWhole = /^IHDR( PLTE)?( tRNS)?( IDAT)+ IEND$/.test(order);
  if (!isWhole || (colourType === PALETTE && !order.includes("PLTE"))) return "notTaken";
  return {
    type: "image/png",
    width,
    height,
    hasAlpha: colourType >= 4 || order.includes("tRNS"),
    bytes: joined([SIGNATURE, ...kept.map(({ whole }) => whole)]),
  };
}

/** Returns what the first chunk says; undefined unless it is a valid header. */
function readHeader(bytes: Uint8Array): Header | undefined {
  if (bytes.length < SIGNATURE.length + AROUND_DATA + 13) return undefined;
  if (SIGNATURE.some((byte, at) => bytes[at] !== byte)) return undefined;
  const view = viewOf(bytes.subarray(SIGNATURE.length));
  if (view.getUint32(0) !== 13 || textAt(bytes, SIGNATURE.length + 4) !== "IHDR") return undefined;
  const width = view.getUint32(8);
  const height = view.getUint32(12);
  const colourType = view.getUint8(17);
  const isKnown =
    DEPTHS[colourType]?.includes(view.getUint8(16)) &&
    view.getUint16(18) === 0 &&
    view.getUint8(20) <= 1;
  return isKnown && width > 0 && height > 0 ? { width, height, colourType } : undefined;
}

/** Returns all chunks to the end of the file; undefined when a length or a checksum is wrong. */
function readChunks(bytes: Uint8Array): Chunk[] | undefined {
  const view = viewOf(bytes);
  const chunks: Chunk[] = [];
  let at = SIGNATURE.length;
  while (at < bytes.length) {
    if (at + AROUND_DATA > bytes.length) return undefined;
    const end = at + AROUND_DATA + view.getUint32(at);
    if (end > bytes.length) return undefined;
    const checked = bytes.subarray(at + 4, end - 4);
    if (crcOf(checked) !== view.getUint32(end - 4)) return undefined;
    chunks.push({ kind: textAt(bytes, at + 4), whole: bytes.subarray(at, end) });
    at = end;
  }
  return chunks;
}

/**
 * True for a chunk that a decoder of this colour type needs, and for an unknown one that it may not
 * leave out, which the order of chunks then refuses. A lower-case first letter means that it may.
 */
function isKept(kind: string, colourType: number): boolean {
  if (kind === "PLTE") return colourType === PALETTE;
  if (kind === "tRNS") return colourType < 4;
  return !/^[a-z]/.test(kind);
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** Returns the checksum of a chunk's kind and data. Source: section 5.5 and annex D. */
function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
