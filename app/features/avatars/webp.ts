import { AVATAR_SIZE_PX } from "./picture-size.ts";

/** Bits of a VP8X header for further contents of the file. Source: RFC 9649, section 2.7. */
const HAS_ANIMATION = 0x02;
const HAS_ALPHA = 0x10;

type Chunk = { kind: string; data: Uint8Array };

/**
 * Returns the picture of a WebP file as a new file, without metadata such as the location of a photograph. Undefined
 * unless all bytes are one still, opaque WebP of 256 × 256 pixels. Source: RFC 9649 (container and VP8L), RFC 6386
 * section 9.1 (VP8).
 */
export function readWebp(bytes: Uint8Array): Uint8Array | undefined {
  const chunks = readChunks(bytes);
  const [first] = chunks ?? [];
  const pictures = chunks?.filter(({ kind }) => kind === "VP8 " || kind === "VP8L") ?? [];
  const [picture] = pictures;
  if (!first || !picture || pictures.length !== 1) return undefined;
  if (first.kind === "VP8X" ? !isPlainHeader(first.data) : chunks?.length !== 1) return undefined;
  const isTaken = picture.kind === "VP8 " ? isPlainVp8(picture.data) : isPlainVp8l(picture.data);
  return isTaken ? writeFile(picture) : undefined;
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

/** True when the header of an extended file announces one still, opaque picture of our size. */
function isPlainHeader(data: Uint8Array): boolean {
  if (data.length !== 10) return false;
  const view = viewOf(data);
  const width = (view.getUint32(4, true) & 0xffffff) + 1;
  const height = (view.getUint32(6, true) >>> 8) + 1;
  return (view.getUint8(0) & (HAS_ANIMATION | HAS_ALPHA)) === 0 && isOurSize(width, height);
}

/** True for a visible VP8 key frame of our size. */
function isPlainVp8(data: Uint8Array): boolean {
  if (data.length < 10) return false;
  const view = viewOf(data);
  const tag = view.getUint16(0, true) | (view.getUint8(2) << 16);
  const isKeyFrame = (tag & 1) === 0;
  const isKnownVersion = ((tag >> 1) & 7) <= 3;
  const isShown = ((tag >> 4) & 1) === 1;
  const hasStartCode = view.getUint8(3) === 0x9d && view.getUint16(4, false) === 0x012a;
  const fits = 10 + (tag >> 5) <= data.length;
  const size = [view.getUint16(6, true) & 0x3fff, view.getUint16(8, true) & 0x3fff] as const;
  return isKeyFrame && isKnownVersion && isShown && hasStartCode && fits && isOurSize(...size);
}

/** True for an opaque VP8L picture of our size. */
function isPlainVp8l(data: Uint8Array): boolean {
  if (data.length < 5 || data[0] !== 0x2f) return false;
  const bits = viewOf(data).getUint32(1, true);
  const alphaAndVersion = bits >>> 28;
  return alphaAndVersion === 0 && isOurSize((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
}

function isOurSize(width: number, height: number): boolean {
  return width === AVATAR_SIZE_PX && height === AVATAR_SIZE_PX;
}

/** Writes a file in WebP's simple format: one chunk in its container. */
function writeFile({ kind, data }: Chunk): Uint8Array {
  const file = new Uint8Array(20 + data.length + (data.length % 2));
  const view = viewOf(file);
  file.set(new TextEncoder().encode(`RIFF____WEBP${kind}`));
  view.setUint32(4, file.length - 8, true);
  view.setUint32(16, data.length, true);
  file.set(data, 20);
  return file;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function textAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}
