/** Returns the contrast of two colours (`#rrggbb`) by WCAG 2.2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  return contrastOf(luminanceOf(channelsOf(one)), luminanceOf(channelsOf(other)));
}

/** Returns the contrast of two luminances, in either order. */
export function contrastOf(one: number, other: number): number {
  const [darker = 0, lighter = 0] = [one, other].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/**
 * Returns the level of WCAG 2.2 that text of any size reaches with a contrast; undefined for none.
 */
export function contrastLevel(ratio: number): "AA" | "AAA" | undefined {
  if (ratio >= 7) return "AAA";
  return ratio >= 4.5 ? "AA" : undefined;
}

/** Returns red, green and blue of a colour, from 0 to 255. */
export function channelsOf(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/** Returns the relative luminance of WCAG 2.2 of red, green and blue. */
export function luminanceOf(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((value) => {
    const channel = value / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
