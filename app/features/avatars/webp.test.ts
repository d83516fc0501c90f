import { expect, test } from "vitest";
import { aPicture, vp8, vp8l, vp8x, webpOf } from "../../../tests/support/pictures.ts";
import { readWebp } from "./webp.ts";

const EXIF = 0x08;
const NOTE = new TextEncoder().encode("Taken at home");

test.each([
  ["lossless", webpOf(vp8l())],
  ["lossy", webpOf(vp8())],
])("a %s picture of the product's size is accepted unchanged", (_name, file) => {
  expect(readWebp(file)).toEqual(file);
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

  expect(readWebp(file)).toEqual(webpOf(vp8l()));
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
  ["a picture of another size", webpOf(vp8l(size))],
  ["a lossy picture of another size", webpOf(vp8({ width: 256, height: 512 }))],
  ["a header that says another size than the picture", webpOf(vp8x(0, size), vp8l())],
  ["a picture of another size than its header says", webpOf(vp8x(0), vp8l(size))],
  ["a see-through picture", webpOf(vp8l({ hasAlpha: true }))],
  ["a lossy see-through picture", webpOf(vp8x(0x10), ["ALPH", NOTE], vp8())],
  ["an animation", webpOf(vp8x(0x02), ["ANIM", NOTE], ["ANMF", NOTE])],
  ["an animation with a picture before it", webpOf(vp8x(0x02), vp8l(), ["ANMF", NOTE])],
  ["two pictures", webpOf(vp8x(0), vp8l(), vp8l())],
  ["no picture", webpOf(vp8x(0))],
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
  expect(readWebp(file)).toBeUndefined();
});

test("no changed byte of a picture's headers makes the parser throw", () => {
  const files = [webpOf(vp8x(EXIF), vp8l(), ["EXIF", NOTE]), webpOf(vp8())];
  for (const file of files) {
    for (let at = 0; at < file.length; at++) {
      for (const value of [0, 1, 0x7f, 0x80, 0xff]) {
        const taken = readWebp(file.with(at, value));
        expect(taken === undefined || taken.length <= file.length).toBe(true);
      }
    }
  }
});
