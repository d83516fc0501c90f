import { expect, test } from "vitest";
import { dragged, FILLED, fitted, partOf, sizeWithin, squareOf, zoomed } from "./crop.ts";

const WIDE = { width: 400, height: 200 };

test("a picture starts with the largest square at its middle", () => {
  expect(squareOf(WIDE, FILLED)).toEqual({ left: 100, top: 0, side: 200 });
  expect(squareOf({ width: 200, height: 400 }, FILLED)).toEqual({ left: 0, top: 100, side: 200 });
});

test("a picture follows the finger that drags it", () => {
  const crop = dragged(WIDE, FILLED, { across: 0.25, down: 0 });

  expect(squareOf(WIDE, crop)).toEqual({ left: 50, top: 0, side: 200 });
});

test("a picture is not dragged past its edges", () => {
  const crop = dragged(WIDE, { ...FILLED, zoom: 2 }, { across: -9, down: 9 });

  expect(squareOf(WIDE, crop)).toEqual({ left: 300, top: 0, side: 100 });
});

test("a picture without room to move stays in the middle", () => {
  const square = { width: 200, height: 200 };

  expect(dragged(square, FILLED, { across: 1, down: 1 })).toEqual(FILLED);
});

test("zooming keeps the middle in the middle", () => {
  const crop = zoomed(WIDE, { zoom: 1, across: 0.25, down: 0.5 }, 2);

  expect(squareOf(WIDE, crop)).toEqual({ left: 100, top: 50, side: 100 });
});

test("zooming out keeps to the picture's edges", () => {
  const crop = zoomed(WIDE, { zoom: 4, across: 1, down: 1 }, 1);

  expect(squareOf(WIDE, crop)).toEqual({ left: 200, top: 0, side: 200 });
});

test("a fitted picture is whole, in the middle of its square", () => {
  const crop = fitted(WIDE);

  expect(squareOf(WIDE, crop)).toEqual({ left: 0, top: -100, side: 400 });
  expect(partOf(WIDE, crop)).toEqual({ left: 0, top: 0, width: 400, height: 200 });
  expect(partOf({ width: 200, height: 400 }, crop)).toMatchObject({ width: 200, height: 400 });
});

test("a fitted picture is zoomed in to a square part, and only moves along its length before", () => {
  const between = zoomed(WIDE, fitted(WIDE), 0.8);

  expect(partOf(WIDE, between)).toEqual({ left: 75, top: 0, width: 250, height: 200 });
  expect(dragged(WIDE, between, { across: 1, down: 1 })).toEqual({ ...between, across: 0 });
  expect(partOf(WIDE, zoomed(WIDE, between, 1))).toEqual({
    left: 100,
    top: 0,
    width: 200,
    height: 200,
  });
});

test("a part is scaled down to its box in its own shape, and not enlarged", () => {
  const box = { width: 512, height: 256 };

  expect(sizeWithin(box, { width: 4_608, height: 1_024 })).toEqual({ width: 512, height: 114 });
  expect(sizeWithin(box, { width: 1_000, height: 1_000 })).toEqual({ width: 256, height: 256 });
  expect(sizeWithin(box, { width: 90, height: 20 })).toEqual({ width: 90, height: 20 });
  expect(sizeWithin(box, { width: 5_000, height: 1 })).toEqual({ width: 512, height: 1 });
});
