import { expect, test } from "vitest";
import { exif, JPEGS, segment, withSegments } from "../../../tests/support/pictures.ts";
import { cleanJpeg } from "./jpeg.ts";

const { baseline, progressive, cmyk, grey } = JPEGS;
const COM = 0xfe;
const DHT = 0xc4;
const SOF0 = 0xc0;
const SOS = 0xda;

/** The frame of a picture of this size with one colour. */
function frame(width: number, height: number, precision = 8): number[] {
  const size = [height >> 8, height & 0xff, width >> 8, width & 0xff];
  return segment(SOF0, [precision, ...size, 1, 1, 0x11, 0]);
}

function textIn(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

/** The end of a file, from its first table. Only what stands before it differs. */
function tablesOf(jpeg: Uint8Array): string {
  const text = textIn(jpeg);
  return text.slice(text.indexOf("\xff\xdb"));
}

test.each(Object.entries(JPEGS))("a %s picture keeps all that its decoder needs", (_name, file) => {
  const cleaned = cleanJpeg(file);

  expect(cleaned).toMatchObject({ type: "image/jpeg", width: 48, height: 16, hasAlpha: false });
  if (typeof cleaned === "string") throw new Error(cleaned);
  expect(tablesOf(cleaned.bytes)).toBe(tablesOf(file));
  expect(textIn(cleaned.bytes)).not.toContain("JFIF");
});

test("the colours of CMYK keep the segment that says what they mean", () => {
  expect(cleanJpeg(cmyk)).toMatchObject({ bytes: cmyk });
  const longer = segment(0xee, "Adobe\0\x64\0\0\0\0\0Taken at home");
  const cleaned = cleanJpeg(new Uint8Array([0xff, 0xd8, ...longer, ...cmyk.subarray(18)]));
  expect(cleaned).toMatchObject({ bytes: cmyk });
});

test("positions, comments, thumbnails and profiles are removed", () => {
  const clean = cleanJpeg(baseline);
  const noted = withSegments(
    baseline,
    exif(1),
    segment(0xe1, "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>35.2698 E</x:xmpmeta>"),
    segment(0xe2, "ICC_PROFILE\0made by a camera"),
    segment(0xed, "Photoshop 3.0\0Taken at home"),
    segment(0xee, "Taken at home"),
    segment(COM, "Taken at home"),
  );

  expect(cleanJpeg(noted)).toEqual(clean);
});

test.each([false, true])("an orientation stays as the only tag (little-endian: %s)", (isLittle) => {
  for (const orientation of [2, 3, 4, 5, 6, 7, 8]) {
    const cleaned = cleanJpeg(withSegments(baseline, exif(orientation, isLittle)));

    const isLying = orientation >= 5;
    expect(cleaned).toMatchObject({ width: isLying ? 16 : 48, height: isLying ? 48 : 16 });
    if (typeof cleaned === "string") throw new Error(cleaned);
    expect(textIn(cleaned.bytes)).not.toContain("35.2698");
    const tag = `\x01\x12\0\x03\0\0\0\x01\0${String.fromCharCode(orientation)}\0\0`;
    const note = `\xff\xe1\0\x22Exif\0\0MM\0*\0\0\0\x08\0\x01${tag}\0\0\0\0`;
    expect(textIn(cleaned.bytes).slice(2, 38)).toBe(note);
    // What was cleaned is not changed by cleaning it again.
    expect(cleanJpeg(cleaned.bytes)).toEqual(cleaned);
  }
});

test.each([0, 1, 9, 255])("the orientation %i is none", (orientation) => {
  expect(cleanJpeg(withSegments(baseline, exif(orientation)))).toEqual(cleanJpeg(baseline));
});

test.each<[string, number[]]>([
  ["without a directory", segment(0xe1, "Exif\0\0MM")],
  ["with a directory behind its end", segment(0xe1, "Exif\0\0MM\0*\xff\xff\xff\xff")],
  ["with more tags than bytes", segment(0xe1, "Exif\0\0MM\0*\0\0\0\x08\xff\xff\x01\x12")],
])("EXIF %s is removed", (_name, note) => {
  expect(cleanJpeg(withSegments(baseline, note))).toEqual(cleanJpeg(baseline));
});

test("what follows the end is cut off: a phone's second picture, an archive or a page", () => {
  for (const more of [progressive, Buffer.from("PK\x03\x04"), Buffer.from("<script>1</script>")]) {
    expect(cleanJpeg(new Uint8Array([...baseline, ...more]))).toEqual(cleanJpeg(baseline));
  }
});

test.each([
  [1_025, 1],
  [1, 1_025],
  [65_535, 65_535],
])("a header that says %i × %i is refused", (width, height) => {
  const file = new Uint8Array([0xff, 0xd8, ...frame(width, height), 0xff, 0xd9]);

  expect(cleanJpeg(file)).toBe("tooManyPixels");
});

const scan = [...segment(SOS, [1, 1, 0, 0, 63, 0]), 1, 2, 3];
const of = (...parts: number[][]) => new Uint8Array([0xff, 0xd8, ...parts.flat(), 0xff, 0xd9]);

test("restarts, escaped bytes and filled markers belong to a scan", () => {
  const data = [...scan, 0xff, 0xd0, 4, 0xff, 0x00, 5, 0xff, 0xd7, 6];

  expect(cleanJpeg(of(frame(8, 8), [0xff], data))).toMatchObject({ bytes: of(frame(8, 8), data) });
});

test.each<[string, Uint8Array]>([
  ["nothing", new Uint8Array()],
  ["a start alone", new Uint8Array([0xff, 0xd8])],
  ["half a file", baseline.slice(0, 200)],
  ["a file without its end", baseline.slice(0, -2)],
  ["a file with half its end", baseline.slice(0, -1)],
  ["no frame", of(segment(DHT, [0]), scan)],
  ["no scan", of(frame(8, 8))],
  ["a scan before its frame", of(scan, frame(8, 8), scan)],
  ["two frames", of(frame(8, 8), frame(8, 8), scan)],
  ["a frame without width", of(frame(0, 8), scan)],
  ["a frame whose height comes later", of(frame(8, 0), scan, segment(0xdc, [0, 8]))],
  ["a frame with twelve bits", of(frame(8, 8, 12), scan)],
  ["a frame with two colours", of(segment(SOF0, [8, 0, 8, 0, 8, 2, 1, 17, 0, 2, 17, 0]), scan)],
  [
    "a frame with fewer colours than it says",
    of(segment(SOF0, [8, 0, 8, 0, 8, 3, 1, 17, 0]), scan),
  ],
  ["a frame of a few bytes", of(segment(SOF0, [8, 0]), scan)],
  ["a lossless frame", of(segment(0xc3, [8, 0, 8, 0, 8, 1, 1, 17, 0]), scan)],
  ["an arithmetic frame", of(segment(0xc9, [8, 0, 8, 0, 8, 1, 1, 17, 0]), scan)],
  ["tables of arithmetic codes", of(frame(8, 8), segment(0xcc, [0, 0]), scan)],
  ["a second start", of(frame(8, 8), [0xff, 0xd8], scan)],
  ["bytes between its segments", of(frame(8, 8), [1, 2], scan)],
  ["a segment shorter than its length", of(frame(8, 8), [0xff, DHT, 0, 1], scan)],
  ["a segment longer than the file", of(frame(8, 8), scan, [0xff, DHT, 0xff, 0xff])],
  ["more scans than a picture has", of(frame(8, 8), ...Array.from({ length: 101 }, () => scan))],
])("%s is refused", (_name, file) => {
  expect(cleanJpeg(file)).toBe("notTaken");
});

test("no changed byte of a picture makes the parser throw", () => {
  for (const file of [withSegments(grey, exif(6)), cmyk]) {
    for (let at = 0; at < file.length; at++) {
      for (const value of [0, 1, 0x7f, 0x80, 0xff]) {
        const taken = cleanJpeg(file.with(at, value));
        expect(typeof taken === "string" || taken.bytes.length <= file.length).toBe(true);
      }
    }
  }
});
