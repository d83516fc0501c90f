import { expect, test } from "vitest";
import { ACCENT_NAMES, accentOf, accentStyles } from "./accents.ts";
import { contrast, contrastLevel } from "./contrast.ts";

const PAGES = { light: ["#fdfcfd", "#ffffff"], dark: ["#121113", "#1a191b"] };

test.each(ACCENT_NAMES)("%s keeps AA contrast in both themes", (name) => {
  const { solid, hover, ink, fill } = accentOf(name);

  for (const filled of [solid, ...hover]) {
    expect(contrast(filled, "#ffffff")).toBeGreaterThanOrEqual(4.5);
  }
  for (const below of [...PAGES.light, fill[0]]) {
    expect(contrast(ink[0], below)).toBeGreaterThanOrEqual(4.5);
  }
  for (const below of [...PAGES.dark, fill[1]]) {
    expect(contrast(ink[1], below)).toBeGreaterThanOrEqual(4.5);
  }
});

test("the stylesheets' own accent needs no styles, and another sets every property", () => {
  expect(accentStyles("plum")).toBeUndefined();
  expect(accentStyles("teal")).toMatch(
    /^:root\{--color-accent:#\w{6};--color-accent-hover:.+;--color-accent-ink:.+;--color-accent-fill:.+;--color-accent-line:.+\}$/,
  );
});

test("black on white has the highest contrast, and a level says which text is readable", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  expect([4.49, 4.5, 6.99, 7].map(contrastLevel)).toEqual([undefined, "AA", "AA", "AAA"]);
});
