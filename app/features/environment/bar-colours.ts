/** Step 9 (the solid one) of each Radix palette, by name. Source: @radix-ui/colors 3. */
const SOLID = {
  amber: "#ffc53d",
  blue: "#0090ff",
  bronze: "#a18072",
  brown: "#ad7f58",
  crimson: "#e93d82",
  cyan: "#00a2c7",
  gold: "#978365",
  grass: "#46a758",
  gray: "#8d8d8d",
  green: "#30a46c",
  indigo: "#3e63dd",
  iris: "#5b5bd6",
  jade: "#29a383",
  lime: "#bdee63",
  mauve: "#8e8c99",
  mint: "#86ead4",
  olive: "#898e87",
  orange: "#f76b15",
  pink: "#d6409f",
  plum: "#ab4aba",
  purple: "#8e4ec6",
  red: "#e5484d",
  ruby: "#e54666",
  sage: "#868e8b",
  sand: "#8d8d86",
  sky: "#7ce2fe",
  slate: "#8b8d98",
  teal: "#12a594",
  tomato: "#e54d2e",
  violet: "#6e56cf",
  yellow: "#ffe629",
} as const;

export type ColorName = keyof typeof SOLID;

/** Values of `ENVIRONMENT_COLOR`. */
export const COLOR_NAMES = Object.keys(SOLID) as [ColorName, ...ColorName[]];

/**
 * Returns the bar's colour, and black or white for its text: the one with more contrast, which is at least 4.5 to 1.
 */
export function barColors(name: ColorName): { background: string; text: string } {
  const background = SOLID[name];
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(background.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  // Relative luminance of WCAG 2.2. At 0.179 black and white have equal contrast.
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return { background, text: luminance > 0.179 ? "#000000" : "#ffffff" };
}
