import { expect, test } from "vitest";
import { aPicture, aPng, JPEGS } from "../../../tests/support/pictures.ts";
import { cleanPicture } from "./clean-picture.ts";

const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

test.each([
  ["image/webp", aPicture()],
  ["image/png", aPng()],
  ["image/jpeg", JPEGS.baseline],
])("the type %s is found in the content", (type, file) => {
  expect(cleanPicture(file)).toMatchObject({ ok: true, picture: { type } });
});

test.each([
  ["heic", bytes("\0\0\0\x18ftypheic\0\0\0\0mif1heic")],
  ["heic", bytes("\0\0\0\x18ftypmif1\0\0\0\0mif1heic")],
  ["svg", bytes("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")],
  ["svg", bytes("\xef\xbb\xbf <?xml version='1.0'?><!-- drawn --><!DOCTYPE svg><SVG/>")],
])("%s is refused by its name", (error, file) => {
  expect(cleanPicture(file)).toEqual({ ok: false, error });
});

test.each([
  ["nothing", new Uint8Array()],
  ["a GIF", bytes("GIF89a\x01\0\x01\0")],
  ["AVIF", bytes("\0\0\0\x18ftypavif\0\0\0\0mif1avif")],
  ["a page", bytes("<!doctype html><script>alert(1)</script>")],
  ["a PDF", bytes("%PDF-1.7")],
  ["a PNG that begins as a JPEG", new Uint8Array([0xff, 0xd8, 0xff, ...aPng()])],
  ["a JPEG with a PNG's signature", new Uint8Array([...aPng().subarray(0, 8), ...JPEGS.baseline])],
  ["a script before a picture", new Uint8Array([...bytes("/*"), ...aPng(), ...bytes("*/")])],
  ["more bytes than are stored", new Uint8Array([...JPEGS.baseline, ...new Uint8Array(300_000)])],
])("%s is refused", (_name, file) => {
  expect(cleanPicture(file)).toEqual({ ok: false, error: "notTaken" });
});
