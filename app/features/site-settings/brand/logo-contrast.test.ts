import { expect, test } from "vitest";
import { THEME_COLORS } from "./brand-previews.tsx";
import { isFaintOn } from "./logo-contrast.ts";

const COLOURS: Record<string, number[]> = {
  ".": [0, 0, 0, 0],
  B: [0, 0, 0, 255],
  W: [255, 255, 255, 255],
  G: [0, 160, 80, 255],
  // A grey that is visible on both backgrounds.
  g: [119, 119, 119, 255],
  // A shade that is nearly see-through.
  s: [0, 0, 0, 40],
};

const OUTLINED = [".BBBBBBB", ...Array.from({ length: 6 }, () => ".BWWWWWB"), ".BBBBBBB"];

test.each([
  ["a black word", [".....", ".BBB."], "dark"],
  ["a white word", [".....", ".WWW."], "light"],
  ["a grey word", [".....", ".ggg."], "none"],
  ["a nearly transparent word", [".....", ".sss."], "both"],
  ["a black word beside a green mark", ["G.BBBB", "G.BBBB"], "dark"],
  ["a white shape with a black outline", OUTLINED, "none"],
  ["a black word on a white ground of its own", ["WWWWW", "WBBBW", "WWWWW"], "none"],
  ["nothing", ["..."], "none"],
])("%s is faint on: %s", (_, rows, expected) => {
  const data = new Uint8ClampedArray(
    rows.flatMap((row) => [...row].flatMap((letter) => COLOURS[letter] ?? [])),
  );
  const pixels = { data, width: rows[0]?.length ?? 0 };
  const isOn = (theme: "light" | "dark") => isFaintOn(pixels, THEME_COLORS[theme].page);

  const faint = (["light", "dark"] as const).filter(isOn);
  expect(faint.length === 2 ? "both" : (faint[0] ?? "none")).toBe(expected);
});
