import { joined, textAt, viewOf } from "./bytes.ts";
import {
  type CleanPicture,
  isTooBroad,
  PICTURE_MAX_SIDE_PX,
  type PictureFault,
} from "./picture-size.ts";

/** Bits of a VP8X header for further contents of the file. Source: RFC 9649, section 2.7. */
const HAS_ANIMATION = 0x02;
const HAS_ALPHA = 0x10;

type Chunk = { kind: string; data: Uint8Array };
type Size = { width: number; height: number };

/**
 * Returns the picture of a WebP file as a new file, without metadata such as the location of a
 * photograph. All bytes must be one still WebP. Source: RFC 9649 (container and VP8L), RFC 6386
 * section 9.1 (VP8).
 */
export function cleanWebp(
  bytes: Uint8Array,
  maxSide: number = PICTURE_MAX_SIDE_PX,
): CleanPicture | PictureFault {
  const chunks = readChunks(bytes);
  const [first] = chunks ?? [];
  if (!chunks || !first) return "notTaken";
  const header = first.kind === "VP8X" ? readHeader(first.data) : undefined;
  if (first.kind === "VP8X" ? !header : chunks.length !== 1) return "notTaken";
  if (header && isTooBroad(header, maxSide)) return "tooManyPixels";
  const isMoving = chunks.some(({ kind }) => kind === "ANIM" || kind === "ANMF");
  if (header?.isAnimation || isMoving) return "animated";

  const parts = chunks.filter(({ kind }) => ["ALPH", "VP8 ", "VP8L"].includes(kind));
  const picture = parts.at(-1);
  const alpha = parts.length === 2 && parts[0]?.kind === "ALPH" ? parts[0] : undefined;
  const isLossy = picture?.kind === "VP8 ";
  if (!picture || picture.kind === "ALPH" || parts.length !== (alpha && isLossy ? 2 : 1)) {
    return "notTaken";
  }
  const shown = isLossy ? readVp8(picture.data) : readVp8l(picture.data);
  if (!shown) return "notTaken";
  if (header && (header.width !== shown.width || header.height !== shown.height)) return "notTaken";
  if (isTooBroad(shown, maxSide)) return "tooManyPixels";
  const { width, height } = shown;
  const hasAlpha = alpha !== undefined || shown.hasAlpha;
  return {
    type: "image/webp",
    width,
    height,
    hasAlpha,
    bytes: writeFile(alpha ? [headerOf(shown), alpha, picture] : [picture]),
  };
}

/** Returns the chunks of a RIFF file of the type WEBP; undefined when a length does not fit. */
function readChunks(bytes: Uint8Array): Chunk[] | undefined {
  const view = viewOf(bytes);
  if (bytes.length < 12 || textAt(bytes, 0) !== "RIFF" || textAt(bytes, 8) !== "WEBP") {
    return undefined;
  }
  if (view.getUint32(4, true) !== bytes.length - 8) return undefined;
  const chunks: Chunk[] = [];
  let at = 12;
  while (at < bytes.length) {
    if (at + 8 > bytes.length) return undefined;
    const length = view.getUint32(at + 4, true);
    const end = at + 8 + length;
    const next = end + (length % 2);
    if (next > bytes.length) return undefined;
    chunks.push({ kind: textAt(bytes, at), data: bytes.subarray(at + 8, end) });
    at = next;
  }
  return chunks;
}

/** Returns what the header of an extended file says. */
function readHeader(data: Uint8Array): (Size & { isAnimation: boolean }) | undefined {
  if (data.length !== 10) return undefined;
  const view = viewOf(data);
  return {
    width: (view.getUint32(4, true) & 0xffffff) + 1,
    height: (view.getUint32(6, true) >>> 8) + 1,
    isAnimation: (view.getUint8(0) & HAS_ANIMATION) !== 0,
  };
}

/** Returns the size of a visible VP8 key frame; undefined for any other. */
function readVp8(data: Uint8Array): (Size & { hasAlpha: boolean }) | undefined {
  if (data.length < 10) return undefined;
  const view = viewOf(data);
  const tag = view.getUint16(0, true) | (view.getUint8(2) << 16);
  const isKeyFrame = (tag & 1) === 0;
  const isKnownVersion = ((tag >> 1) & 7) <= 3;
  const isShown = ((tag >> 4) & 1) === 1;
  const hasStartCode = view.getUint8(3) === 0x9d && view.getUint16(4, false) === 0x012a;
  const fits = 10 + (tag >> 5) <= data.length;
  const width = view.getUint16(6, true) & 0x3fff;
  const height = view.getUint16(8, true) & 0x3fff;
  const isSound = isKeyFrame && isKnownVersion && isShown && hasStartCode && fits;
  return isSound && width > 0 && height > 0 ? { width, height, hasAlpha: false } : undefined;
}

/** Returns the size of a VP8L picture, and whether it says that it is see-through. */
function readVp8l(data: Uint8Array): (Size & { hasAlpha: boolean }) | undefined {
  if (data.length < 5 || data[0] !== 0x2f) return undefined;
  const bits = viewOf(data).getUint32(1, true);
  const version = bits >>> 29;
  if (version !== 0) return undefined;
  return {
    width: (bits & 0x3fff) + 1,
    height: ((bits >>> 14) & 0x3fff) + 1,
    hasAlpha: ((bits >>> 28) & 1) === 1,
  };
}

/** Returns the header of a lossy picture with transparency. */
function headerOf({ width, height }: Size): Chunk {
  const data = new Uint8Array(10);
  const view = viewOf(data);
  view.setUint8(0, HAS_ALPHA);
  view.setUint32(4, width - 1, true);
  view.setUint16(7, height - 1, true);
  return { kind: "VP8X", data };
}

function writeFile(chunks: Chunk[]): Uint8Array {
  const body = joined(
    chunks.flatMap(({ kind, data }) => {
      const head = new Uint8Array(8);
      head.set(new TextEncoder().encode(kind));
      viewOf(head).setUint32(4, data.length, true);
      return [head, data, new Uint8Array(data.length % 2)];
    }),
  );
  const start = new Uint8Array(12);
  start.set(new TextEncoder().encode("RIFF____WEBP"));
  viewOf(start).setUint32(4, body.length + 4, true);
  return joined([start, body]);
}
