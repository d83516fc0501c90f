import { expect, test } from "vitest";
import { aPng, IEND, idat, ihdr, pngOf } from "../../../tests/support/pictures.ts";
import { cleanPng } from "./png.ts";

const WIDE = { width: 512, height: 114 };
const NOTE = new TextEncoder().encode("Comment\0Taken at home");
const COLOURS = new Uint8Array([0, 0, 0, 255, 255, 255]);

test.each<[string, Uint8Array, object]>([
  ["see-through", aPng(WIDE), { hasAlpha: true }],
  ["true colour", pngOf(ihdr({ ...WIDE, colourType: 2 }), idat(WIDE), IEND), { hasAlpha: false }],
  ["sixteen-bit", pngOf(ihdr({ ...WIDE, depth: 16 }), idat(WIDE), IEND), { hasAlpha: true }],
  [
    "palette",
    pngOf(ihdr({ ...WIDE, colourType: 3 }), ["PLTE", COLOURS], idat(WIDE), IEND),
    { hasAlpha: false },
  ],
  [
    "see-through palette",
    pngOf(
      ihdr({ ...WIDE, colourType: 3, depth: 1 }),
      ["PLTE", COLOURS],
      ["tRNS", new Uint8Array([0])],
      idat(WIDE),
      idat(WIDE),
      IEND,
    ),
    { hasAlpha: true },
  ],
])("a %s picture is accepted unchanged", (_name, file, facts) => {
  expect(cleanPng(file)).toEqual({ type: "image/png", bytes: file, ...WIDE, ...facts });
});

test("texts, positions, times and profiles are removed", () => {
  const kinds = ["tEXt", "zTXt", "iTXt", "eXIf", "tIME", "iCCP", "gAMA", "pHYs", "prVt"];
  const file = pngOf(
    ihdr(),
    ...kinds.map((kind) => [kind, NOTE] as [string, Uint8Array]),
    idat(),
    ["tEXt", NOTE],
    IEND,
  );

  expect(cleanPng(file)).toMatchObject({ bytes: aPng() });
});

test("a palette that only suggests colours is removed", () => {
  expect(cleanPng(pngOf(ihdr(), ["PLTE", COLOURS], idat(), IEND))).toMatchObject({ bytes: aPng() });
});

test.each(["acTL", "fcTL", "fdAT"])("an animation with %s is refused as one", (kind) => {
  expect(cleanPng(pngOf(ihdr(), [kind, NOTE], idat(), IEND))).toBe("animated");
});

test.each([
  { width: 1_025, height: 1 },
  { width: 1, height: 2_000 },
  { width: 2 ** 31 - 1, height: 2 ** 31 - 1 },
  { width: 2 ** 32 - 1, height: 2 ** 32 - 1 },
])("a header that says $width × $height is refused, whatever follows", (size) => {
  expect(cleanPng(pngOf(ihdr(size)))).toBe("tooManyPixels");
});

const file = aPng({ width: 4, height: 4 });

test.each<[string, Uint8Array]>([
  ["nothing", new Uint8Array()],
  ["a signature alone", file.slice(0, 8)],
  ["a file cut short", file.slice(0, -1)],
  ["a file without its end", file.slice(0, -12)],
  ["a file with a page behind it", new Uint8Array([...file, ...Buffer.from("<script>")])],
  ["a file with an archive behind it", new Uint8Array([...file, ...Buffer.from("PK\x05\x06")])],
  ["a broken signature", file.with(4, 0x0a)],
  ["a wrong checksum", file.with(30, (file[30] ?? 0) ^ 1)],
  ["a chunk longer than the file", file.with(33, 0x7f)],
  ["no pixels at all", pngOf(ihdr(), IEND)],
  ["no width", pngOf(ihdr({ width: 0 }), idat(), IEND)],
  ["no height", pngOf(ihdr({ height: 0 }), idat(), IEND)],
  ["an unknown depth", pngOf(ihdr({ depth: 3 }), idat(), IEND)],
  ["an unknown colour type", pngOf(ihdr({ colourType: 5 }), idat(), IEND)],
  ["a palette without colours", pngOf(ihdr({ colourType: 3 }), idat(), IEND)],
  ["two headers", pngOf(ihdr(), ihdr(), idat(), IEND)],
  ["a header behind the pixels", pngOf(idat(), ihdr(), IEND)],
  ["two pictures", pngOf(ihdr(), idat(), IEND, ihdr(), idat(), IEND)],
  ["pixels in two places", pngOf(ihdr({ colourType: 2 }), idat(), ["tRNS", COLOURS], idat(), IEND)],
  ["an unknown chunk that a decoder may not skip", pngOf(ihdr(), ["EviL", NOTE], idat(), IEND)],
  ["a header of another length", pngOf(["IHDR", new Uint8Array(12)], idat(), IEND)],
])("%s is refused", (_name, bytes) => {
  expect(cleanPng(bytes)).toBe("notTaken");
});

test("no changed byte of a picture makes the parser throw", () => {
  for (let at = 0; at < file.length; at++) {
    for (const value of [0, 1, 0x7f, 0x80, 0xff]) {
      const taken = cleanPng(file.with(at, value));
      expect(typeof taken === "string" || taken.bytes.length <= file.length).toBe(true);
    }
  }
});
