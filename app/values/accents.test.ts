import { expect, test } from "vitest";
import { ACCENT_NAMES, accentOf, accentStyles } from "./accents.ts";

const PAGES = { light: ["#fdfcfd", "#ffffff"], dark: ["#121113", "#1a191b"] };

/** Contrast of two colours by WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

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
