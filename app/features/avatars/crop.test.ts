import { expect, test } from "vitest";
import { dragged, squareOf, WHOLE, zoomed } from "./crop.ts";

const WIDE = { width: 400, height: 200 };

test("a picture starts with the largest square at its middle", () => {
  expect(squareOf(WIDE, WHOLE)).toEqual({ left: 100, top: 0, side: 200 });
  expect(squareOf({ width: 200, height: 400 }, WHOLE)).toEqual({ left: 0, top: 100, side: 200 });
});

test("a picture follows the finger that drags it", () => {
  const crop = dragged(WIDE, WHOLE, { across: 0.25, down: 0 });

  expect(squareOf(WIDE, crop)).toEqual({ left: 50, top: 0, side: 200 });
});

test("a picture is not dragged past its edges", () => {
  const crop = dragged(WIDE, { ...WHOLE, zoom: 2 }, { across: -9, down: 9 });

  expect(squareOf(WIDE, crop)).toEqual({ left: 300, top: 0, side: 100 });
});

test("a picture without room to move stays in the middle", () => {
  const square = { width: 200, height: 200 };

  expect(dragged(square, WHOLE, { across: 1, down: 1 })).toEqual(WHOLE);
});

test("zooming keeps the middle in the middle", () => {
  const crop = zoomed(WIDE, { zoom: 1, across: 0.25, down: 0.5 }, 2);

  expect(squareOf(WIDE, crop)).toEqual({ left: 100, top: 50, side: 100 });
});

test("zooming out keeps to the picture's edges", () => {
  const crop = zoomed(WIDE, { zoom: 4, across: 1, down: 1 }, 1);

  expect(squareOf(WIDE, crop)).toEqual({ left: 200, top: 0, side: 200 });
});
