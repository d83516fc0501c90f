import { crc32, deflateSync } from "node:zlib";
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

/** A chunk of a PNG, with its right checksum. */
function pngChunk([kind, data]: Chunk): number[] {
  const checked = [...text(kind), ...data];
  return [...big32(data.length), ...checked, ...big32(crc32(Buffer.from(checked)))];
}

/** Returns a PNG file of these chunks. */
export function pngOf(...chunks: Chunk[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array([...text("\x89PNG\r\n\x1a\n"), ...chunks.flatMap(pngChunk)]);
}

/** Returns the header of a PNG, by default of true colour with transparency in eight bits. */
export function ihdr({
  width = 256,
  height = 256,
  depth = 8,
  colourType = 6,
}: PictureOptions & { depth?: number; colourType?: number } = {}): Chunk {
  const size = [...big32(width), ...big32(height)];
  return ["IHDR", new Uint8Array([...size, depth, colourType, 0, 0, 0])];
}

/** Returns the data of a PNG whose pixels are all zero. */
export function idat({ width = 256, height = 256, bytes = 4 } = {}): Chunk {
  return ["IDAT", new Uint8Array(deflateSync(Buffer.alloc((width * bytes + 1) * height)))];
}

export const IEND: Chunk = ["IEND", new Uint8Array()];

/** Returns a valid PNG of fully transparent pixels. */
export function aPng(size: { width?: number; height?: number } = {}): Uint8Array<ArrayBuffer> {
  return pngOf(ihdr(size), idat(size), IEND);
}

/** Valid JPEG files of 48 × 16 pixels, red on the left and blue on the right. */
export const JPEGS = {
  baseline: fromBase64(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAQADADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABAX/xAAYEQEAAwEAAAAAAAAAAAAAAAAABEKBwf/aAAwDAQACEQMRAD8AhAHWBMpTKEG2dBmV0AUAX//Z",
  ),
  progressive: fromBase64(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wgARCAAQADADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAVAQEBAAAAAAAAAAAAAAAAAAADBP/aAAwDAQACEAMQAAABgDsSrKgAoD//xAAUEAEAAAAAAAAAAAAAAAAAAAAw/9oACAEBAAEFAk//xAAXEQADAQAAAAAAAAAAAAAAAAAAAxBB/9oACAEDAQE/AR2T/8QAFxEAAwEAAAAAAAAAAAAAAAAAAAMQQf/aAAgBAgEBPwERs//EABQQAQAAAAAAAAAAAAAAAAAAADD/2gAIAQEABj8CT//EABQQAQAAAAAAAAAAAAAAAAAAADD/2gAIAQEAAT8hT//aAAwDAQACAAMAAAAQAU8//8QAFhEAAwAAAAAAAAAAAAAAAAAAABDB/9oACAEDAQE/ECi//8QAFhEBAQEAAAAAAAAAAAAAAAAAwQAQ/9oACAECAQE/EIHP/8QAFBABAAAAAAAAAAAAAAAAAAAAMP/aAAgBAQABPxBP/9k=",
  ),
  /** Its colours are inverted, which only Adobe's segment says. */
  cmyk: fromBase64(
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAbEhQXFBEbFxYXHhwbIChCKyglJShROj0wQmBVZWRfVV1baniZgWpxkHNbXYW1hpCeo6utq2eAvMm6pseZqKuk/8AAFAgAEAAwBEMRAE0RAFkRAEsRAP/EABYAAQEBAAAAAAAAAAAAAAAAAAAGBf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAOBEMATQBZAEsAAD8A1WEwlMAACNFkAAAshGgAAI0WQAAD/9k=",
  ),
  grey: fromBase64(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/wAALCAAQADABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAA/AIQTApBMD//Z",
  ),
};

/** Returns a segment of a JPEG. */
export function segment(marker: number, data: Uint8Array | number[] | string): number[] {
  const bytes = typeof data === "string" ? [...text(data)] : [...data];
  return [0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 0xff, ...bytes];
}

/** Adds segments to a JPEG, behind its start. */
export function withSegments(jpeg: Uint8Array, ...segments: number[][]): Uint8Array<ArrayBuffer> {
  return new Uint8Array([...jpeg.subarray(0, 2), ...segments.flat(), ...jpeg.subarray(2)]);
}

/** Returns an EXIF segment with an orientation and a position, in either order of bytes. */
export function exif(orientation: number, isLittle = false): number[] {
  const order = (bytes: number[]) => (isLittle ? bytes.toReversed() : bytes);
  const entry = (tag: number[], kind: number, value: number[]) => [
    ...[...order(tag), ...order([0, kind]), ...order([0, 0, 0, 1]), ...value],
  ];
  return segment(0xe1, [
    ...[...text("Exif\0\0"), ...text(isLittle ? "II" : "MM"), ...order([0, 42])],
    ...[...order([0, 0, 0, 8]), ...order([0, 2])],
    ...entry([0x01, 0x12], 3, [...order([0, orientation]), 0, 0]),
    // The directory of the position, which stands behind this one.
    ...entry([0x88, 0x25], 4, order([0, 0, 0, 38])),
    ...[0, 0, 0, 0, ...text("0.5143 S, 35.2698 E")],
  ]);
}

function fromBase64(value: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(value, "base64"));
}

function text(value: string): number[] {
  return [...Buffer.from(value, "latin1")];
}

function big32(value: number): number[] {
  return uint32(value).toReversed();
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
