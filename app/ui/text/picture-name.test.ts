import { expect, test } from "vitest";
import { factsOfPicture, newPictureName, PICTURE_TYPES } from "./picture-name.ts";

test.each(PICTURE_TYPES)("the name of a picture of the type %s says its type and size", (type) => {
  for (const hasAlpha of [true, false]) {
    for (const [width, height] of [
      [1, 1],
      [512, 114],
      [1024, 1024],
      [4095, 4095],
    ] as const) {
      const facts = { type, width, height, hasAlpha };
      const name = newPictureName(facts);

      expect(name).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      expect(factsOfPicture(name)).toEqual(facts);
    }
  }
});

test("two pictures of equal facts have different names", () => {
  const facts = { type: "image/png", width: 1, height: 1, hasAlpha: false } as const;

  expect(newPictureName(facts)).not.toBe(newPictureName(facts));
});

test("a random name is the one of an opaque square WebP", () => {
  const former = { type: "image/webp", width: 256, height: 256, hasAlpha: false };

  expect(factsOfPicture(crypto.randomUUID())).toEqual(former);
  expect(factsOfPicture("00000000-0000-8000-8000-00000fffffff")).toEqual(former);
});
