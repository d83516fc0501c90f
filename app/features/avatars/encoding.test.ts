import { expect, test } from "vitest";
import type { PictureType } from "../../ui/text/picture-name.ts";
import { encodeWithin } from "./encoding.ts";

const MAX_BYTES = 100;

/** An encoder that knows only these types, and answers others with a PNG, as the standard of canvas says. */
function encoderOf(known: PictureType[], bytes: Partial<Record<PictureType, number>> = {}) {
  return (type: PictureType, scale: number) => {
    const real = known.includes(type) ? type : "image/png";
    const size = Math.round((bytes[real] ?? 50) * scale * scale);
    return Promise.resolve(new Blob([new Uint8Array(size)], { type: real }));
  };
}

const CHROMIUM = encoderOf(["image/webp", "image/png", "image/jpeg"]);
const WEBKIT = encoderOf(["image/png", "image/jpeg"]);
const ONLY_PNG = encoderOf(["image/png"]);

test.each([
  ["picture of pages", false, CHROMIUM, "image/webp"],
  ["picture of pages", false, WEBKIT, "image/jpeg"],
  ["picture of pages", false, ONLY_PNG, "image/png"],
  ["picture of pages", true, CHROMIUM, "image/webp"],
  ["picture of pages", true, WEBKIT, "image/png"],
  ["picture of pages", false, WEBKIT, "image/jpeg"],
  // Mails and home screens need it.
  ["picture of mails", true, CHROMIUM, "image/png"],
  ["picture of mails", false, CHROMIUM, "image/png"],
] as const)(
  "a %s that is see-through (%s) is written in the best type there is",
  async (kind, hasAlpha, encode, type) => {
    const isForMails = kind === "picture of mails";
    expect((await encodeWithin(MAX_BYTES, { isForMails, hasAlpha }, encode))?.type).toBe(type);
  },
);

test("an opaque logo of the brand that is too large as PNG is a JPEG", async () => {
  const encode = encoderOf(["image/png", "image/jpeg"], { "image/png": 101 });
  const blob = await encodeWithin(MAX_BYTES, { isForMails: true, hasAlpha: false }, encode);

  expect(blob?.type).toBe("image/jpeg");
});

test("a see-through logo that is too large shrinks until it fits", async () => {
  const encode = encoderOf(["image/png"], { "image/png": 300 });
  const blob = await encodeWithin(MAX_BYTES, { isForMails: true, hasAlpha: true }, encode);

  expect(blob).toMatchObject({ type: "image/png", size: 75 });
});

test("a browser that encodes nothing, or nothing small enough, makes no file", async () => {
  const wanted = { isForMails: false, hasAlpha: true };
  const huge = encoderOf(["image/png"], { "image/png": 1_000_000 });

  expect(await encodeWithin(MAX_BYTES, wanted, () => Promise.resolve(null))).toBeUndefined();
  expect(await encodeWithin(MAX_BYTES, wanted, huge)).toBeUndefined();
});
