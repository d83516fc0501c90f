import type { Browser } from "./client.ts";

const HOUR_MS = 3_600_000;

/** A chunk of a WebP file. */
export type Chunk = [kind: string, data: Uint8Array];

/** Returns a WebP file of these chunks (RFC 9649). */
export function webpOf(...chunks: Chunk[]): Uint8Array<ArrayBuffer> {
  const body = chunks.flatMap(([kind, data]) => [
    ...text(kind),
    ...uint32(data.length),
    ...data,
    ...(data.length % 2 ? [0] : []),
  ]);
  return new Uint8Array([...text("RIFF"), ...uint32(body.length + 4), ...text("WEBP"), ...body]);
}

type PictureOptions = { width?: number; height?: number; hasAlpha?: boolean };

/** Returns a valid lossless picture of one colour, with a prefix code of one symbol for each channel. */
export function vp8l({ width = 256, height = 256, hasAlpha = false }: PictureOptions = {}): Chunk {
  const bits: number[] = [];
  const put = (value: number, count: number) => {
    for (let bit = 0; bit < count; bit++) bits.push((value >> bit) & 1);
  };
  put(0x2f, 8);
  put(width - 1, 14);
  put(height - 1, 14);
  put(hasAlpha ? 1 : 0, 1);
  // Version 0; no transforms, no colour cache, one group of prefix codes.
  put(0, 3 + 1 + 1 + 1);
  // Green, red, blue, alpha, distance: a simple code of one symbol in eight bits each.
  for (const symbol of [74, 171, 186, 255, 0]) {
    put(0b101, 3);
    put(symbol, 8);
  }
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  for (const [at, bit] of bits.entries())
    bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (bit << (at & 7));
  return ["VP8L", bytes];
}

/** Returns the header of a lossy picture without its data: enough for a parser that does not decode. */
export function vp8({ width = 256, height = 256 }: PictureOptions = {}): Chunk {
  const firstPartition = 4;
  const tag = (firstPartition << 5) | (1 << 4);
  const start = [0x9d, 0x01, 0x2a, ...uint32(width).slice(0, 2), ...uint32(height).slice(0, 2)];
  return ["VP8 ", new Uint8Array([...uint32(tag).slice(0, 3), ...start, 1, 2, 3, 4])];
}

/** Returns the extended header (VP8X) of a file. */
export function vp8x(flags: number, { width = 256, height = 256 }: PictureOptions = {}): Chunk {
  const size = [...uint32(width - 1).slice(0, 3), ...uint32(height - 1).slice(0, 3)];
  return ["VP8X", new Uint8Array([flags, 0, 0, 0, ...size])];
}

/** Returns a picture that the product accepts. */
export function aPicture(): Uint8Array<ArrayBuffer> {
  return webpOf(vp8l());
}

function text(value: string): number[] {
  return [...new TextEncoder().encode(value)];
}

function uint32(value: number): number[] {
  return [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);
}

/** Posts the form of a screen that takes a picture. */
export function uploadPicture(
  browser: Browser,
  path: string,
  content: BlobPart = aPicture(),
  init: RequestInit = {},
): Promise<Response> {
  const body = new FormData();
  body.set("intent", "save");
  body.set("picture", new File([content], "picture.webp", { type: "image/webp" }));
  return browser.request(path, { method: "POST", body, ...init });
}

/** Returns the first full hour after a delay, when the hourly cron runs. */
export function fullHourAfter(ms: number): Date {
  return new Date(Math.ceil((Date.now() + ms) / HOUR_MS) * HOUR_MS);
}
