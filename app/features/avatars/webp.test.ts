import { expect, test } from "vitest";
import { aPicture, vp8, vp8l, vp8x, webpOf } from "../../../tests/support/pictures.ts";
import { cleanWebp } from "./webp.ts";

const EXIF = 0x08;
const ALPHA = 0x10;
const NOTE = new TextEncoder().encode("Taken at home");
const WIDE = { width: 512, height: 114 };

test.each<[string, Uint8Array, object]>([
  ["lossless", webpOf(vp8l()), { width: 256, height: 256, hasAlpha: false }],
  ["lossy", webpOf(vp8(WIDE)), { ...WIDE, hasAlpha: false }],
  ["see-through lossless", webpOf(vp8l({ ...WIDE, hasAlpha: true })), { ...WIDE, hasAlpha: true }],
  [
    "see-through lossy",
    webpOf(vp8x(ALPHA, WIDE), ["ALPH", NOTE], vp8(WIDE)),
    { ...WIDE, hasAlpha: true },
  ],
])("a %s picture is accepted unchanged", (_name, file, facts) => {
  expect(cleanWebp(file)).toEqual({ type: "image/webp", bytes: file, ...facts });
});

test("location and camera are removed", () => {
  const file = webpOf(
    vp8x(EXIF),
    ["ICCP", NOTE],
    vp8l(),
    ["EXIF", NOTE],
    ["XMP ", NOTE],
    ["mine", NOTE],
  );

  expect(cleanWebp(file)).toMatchObject({ bytes: webpOf(vp8l()) });
});

test.each([
  ["an animation", webpOf(vp8x(0x02), ["ANIM", NOTE], ["ANMF", NOTE])],
  ["an animation with a picture before it", webpOf(vp8x(0x02), vp8l(), ["ANMF", NOTE])],
  ["an animation that its header does not announce", webpOf(vp8x(0), vp8l(), ["ANMF", NOTE])],
])("%s is refused as one", (_name, file) => {
  expect(cleanWebp(file)).toBe("animated");
});

test.each([
  ["lossy", webpOf(vp8({ width: 1_025, height: 1 }))],
  ["lossless", webpOf(vp8l({ width: 1, height: 16_384 }))],
  ["extended", webpOf(vp8x(0, { width: 2 ** 24, height: 2 ** 24 }), vp8l())],
])("a %s picture whose header says too many pixels is refused as one", (_name, file) => {
  expect(cleanWebp(file)).toBe("tooManyPixels");
});

const size = { width: 255, height: 256 };
const [kind, data] = vp8();
const changed = (at: number, value: number) => {
  const copy = data.slice();
  copy[at] = value;
  return webpOf([kind, copy]);
};

test.each<[string, Uint8Array]>([
  ["nothing", new Uint8Array()],
  ["a text", new TextEncoder().encode("RIFF and no more")],
  ["an SVG with a script", new TextEncoder().encode("<svg><script>alert(1)</script></svg>")],
  ["a PNG", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])],
  ["another kind of RIFF file", webpOf(vp8l()).with(8, 0x41)],
  ["a header that says another size than the picture", webpOf(vp8x(0, size), vp8l())],
  ["a picture of another size than its header says", webpOf(vp8x(0), vp8l(size))],
  ["two pictures", webpOf(vp8x(0), vp8l(), vp8l())],
  ["no picture", webpOf(vp8x(0))],
  ["transparency of no picture", webpOf(vp8x(ALPHA), ["ALPH", NOTE])],
  ["transparency behind its picture", webpOf(vp8x(ALPHA), vp8(), ["ALPH", NOTE])],
  ["transparency twice", webpOf(vp8x(ALPHA), ["ALPH", NOTE], ["ALPH", NOTE], vp8())],
  ["transparency of a lossless picture", webpOf(vp8x(ALPHA), ["ALPH", NOTE], vp8l())],
  ["a lossy picture without pixels", webpOf(vp8({ width: 0, height: 256 }))],
  ["a header cut short", webpOf(["VP8X", new Uint8Array(9)], vp8l())],
  ["notes without a header that announces them", webpOf(vp8l(), ["EXIF", NOTE])],
  ["a file cut short", aPicture().slice(0, -2)],
  ["a file with more behind it", new Uint8Array([...aPicture(), 0, 0])],
  ["a chunk longer than the file", aPicture().with(16, 200)],
  ["a chunk as long as a chunk can say", aPicture().fill(0xff, 16, 20)],
  ["a frame that needs another", changed(0, (data[0] ?? 0) | 1)],
  ["a frame that is not shown", changed(0, (data[0] ?? 0) & ~(1 << 4))],
  ["a frame of an unknown version", changed(0, (data[0] ?? 0) | (7 << 1))],
  ["a frame without its start code", changed(3, 0)],
  ["a frame longer than its chunk", changed(1, 0xff)],
  ["a lossy picture of a few bytes", webpOf(["VP8 ", new Uint8Array(4)])],
  ["a lossless picture of a few bytes", webpOf(["VP8L", new Uint8Array([0x2f])])],
  ["a lossless picture without its signature", webpOf(["VP8L", new Uint8Array(12)])],
])("%s is refused", (_name, file) => {
  expect(cleanWebp(file)).toBe("notTaken");
});

test("no changed byte of a picture's headers makes the parser throw", () => {
  const files = [webpOf(vp8x(EXIF), vp8l(), ["EXIF", NOTE]), webpOf(vp8())];
  for (const file of files) {
    for (let at = 0; at < file.length; at++) {
      for (const value of [0, 1, 0x7f, 0x80, 0xff]) {
        const taken = cleanWebp(file.with(at, value));
        expect(typeof taken === "string" || taken.bytes.length <= file.length).toBe(true);
      }
    }
  }
});
