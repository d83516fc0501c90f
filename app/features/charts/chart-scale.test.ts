import { expect, test } from "vitest";
import { barsPath, gridlines, isDated, lastBar } from "./chart-scale.ts";

test.each([
  [0, []],
  [1, [1]],
  [2, [1, 2]],
  [3, [1, 2, 3]],
  [4, [2, 4]],
  [5, [2, 4, 6]],
  [7, [3, 6, 9]],
  [31, [15, 30, 45]],
  [100, [40, 80, 120]],
  [1_006, [400, 800, 1_200]],
])("the gridlines of %i are round numbers", (highest, expected) => {
  expect(gridlines(highest, 3)).toEqual(expected);
});

test("a low chart has two lines at most", () => {
  expect(gridlines(1, 2)).toEqual([1]);
  expect(gridlines(2, 2)).toEqual([1, 2]);
  expect(gridlines(17, 2)).toEqual([10, 20]);
});

test("gridlines are whole numbers, equally far apart, and end at the first that reaches every value", () => {
  for (let highest = 1; highest < 5_000; highest++) {
    const lines = gridlines(highest, 3);
    const [step = 0] = lines;
    const reached = lines.filter((line) => line >= highest);
    expect([highest, Number.isInteger(step), reached]).toEqual([highest, true, lines.slice(-1)]);
    expect(lines.length).toBeLessThanOrEqual(3);
    expect(lines).toEqual(lines.map((_, index) => (index + 1) * step));
    expect((lines.at(-1) ?? 0) / Math.max(highest, 3)).toBeLessThanOrEqual(1.6);
  }
});

test("a bar is as high as its value, and a day without events has none", () => {
  expect(barsPath([5, 0, 10], 10)).toBe("M0.15 1v-0.5h0.7v0.5zM2.15 1v-1h0.7v1z");
});

test("one among thousands is seen", () => {
  expect(barsPath([1], 10_000)).toBe("M0.15 1v-0.015h0.7v0.015z");
});

test("a chart has a date each seven days, back from today", () => {
  const dated = (length: number) =>
    Array.from({ length }, (_, index) => index).filter((index) => isDated(index, length));

  expect(dated(30)).toEqual([1, 8, 15, 22, 29]);
  expect(dated(7)).toHaveLength(7);
  expect(dated(90)).toHaveLength(13);
});

test("today's bar stands where the path would draw it", () => {
  expect(lastBar(5, 10, 10)).toEqual({ x: "91.5%", y: "50%", width: "7%", height: "50%" });
  expect(lastBar(0, 10, 10).height).toBe("0%");
});
