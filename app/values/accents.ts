type Accent = {
  /** Filled controls, below white text. */
  solid: string;
  /** The other colours for the light and the dark theme. */
  hover: readonly [light: string, dark: string];
  /** Text and icons. */
  ink: readonly [light: string, dark: string];
  fill: readonly [light: string, dark: string];
  line: readonly [light: string, dark: string];
};

/**
 * Accents by the name of their Radix scale (@radix-ui/colors 3): steps 9, 10, 11, 3 and 7, darkened where white text on
 * the solid colour, or the ink on its fill, would have less contrast than 4.5 to 1.
 */
const ACCENTS = {
  plum: {
    solid: "#ab4aba",
    hover: ["#953ea3", "#a144af"],
    ink: ["#953ea3", "#e796f3"],
    fill: ["#fbebfb", "#351a35"],
    line: ["#deade3", "#734079"],
  },
  violet: {
    solid: "#6e56cf",
    hover: ["#614cb6", "#6751c3"],
    ink: ["#6550b9", "#baa7ff"],
    fill: ["#f4f0fe", "#291f43"],
    line: ["#c2b5f5", "#56468b"],
  },
  indigo: {
    solid: "#3e63dd",
    hover: ["#3757c2", "#3a5dd0"],
    ink: ["#3a5bc7", "#9eb1ff"],
    fill: ["#edf2fe", "#182449"],
    line: ["#abbdf9", "#3a4f97"],
  },
  blue: {
    solid: "#0d74ce",
    hover: ["#0b66b5", "#0c6dc2"],
    ink: ["#0c6fc6", "#70b8ff"],
    fill: ["#e6f4fe", "#0d2847"],
    line: ["#8ec8f6", "#205d9e"],
  },
  cyan: {
    solid: "#107d98",
    hover: ["#0e6e86", "#0f768f"],
    ink: ["#0f7892", "#4ccce6"],
    fill: ["#def7f9", "#082c36"],
    line: ["#7dcedc", "#12677e"],
  },
  teal: {
    solid: "#008573",
    hover: ["#007565", "#007d6c"],
    ink: ["#007d6c", "#0bd8b6"],
    fill: ["#e0f8f3", "#0d2d2a"],
    line: ["#83cdc1", "#1c6961"],
  },
  green: {
    solid: "#218358",
    hover: ["#1d734d", "#1f7b53"],
    ink: ["#1f7b53", "#3dd68c"],
    fill: ["#e6f6eb", "#132d21"],
    line: ["#8eceaa", "#28684a"],
  },
  lime: {
    solid: "#5c7c2f",
    hover: ["#516d29", "#56752c"],
    ink: ["#58772d", "#bde56c"],
    fill: ["#eef6d6", "#1f2917"],
    line: ["#abc978", "#496231"],
  },
  amber: {
    solid: "#ab6400",
    hover: ["#965800", "#a15e00"],
    ink: ["#a46000", "#ffca16"],
    fill: ["#fff7c2", "#302008"],
    line: ["#e9c162", "#714f19"],
  },
  orange: {
    solid: "#cc4e00",
    hover: ["#b44500", "#c04900"],
    ink: ["#bc4800", "#ffa057"],
    fill: ["#ffefd6", "#331e0b"],
    line: ["#f5ae73", "#7e451d"],
  },
  red: {
    solid: "#ce2c31",
    hover: ["#b5272b", "#c2292e"],
    ink: ["#ce2c31", "#ff9592"],
    fill: ["#feebec", "#3b1219"],
    line: ["#f4a9aa", "#8c333a"],
  },
  pink: {
    solid: "#cf3897",
    hover: ["#b63185", "#c3358e"],
    ink: ["#c2298a", "#ff8dcc"],
    fill: ["#fee9f5", "#37172f"],
    line: ["#e7acd0", "#833869"],
  },
  brown: {
    solid: "#815e46",
    hover: ["#72533e", "#795842"],
    ink: ["#815e46", "#dbb594"],
    fill: ["#f6eee7", "#28211d"],
    line: ["#dcbc9f", "#614a39"],
  },
} as const satisfies Record<string, Accent>;

export type AccentName = keyof typeof ACCENTS;

export const ACCENT_NAMES = Object.keys(ACCENTS) as [AccentName, ...AccentName[]];

/** The accent that the stylesheets have by themselves. */
export const DEFAULT_ACCENT: AccentName = "plum";

export function accentOf(name: AccentName): Accent {
  return ACCENTS[name];
}

export function isAccent(name: string | null | undefined): name is AccentName {
  return name !== null && name !== undefined && Object.hasOwn(ACCENTS, name);
}

/** Returns the CSS that gives the product an accent; undefined for the one of the stylesheets. */
export function accentStyles(name: AccentName): string | undefined {
  if (name === DEFAULT_ACCENT) return undefined;
  const { solid, hover, ink, fill, line } = ACCENTS[name];
  const pairs = { hover, ink, fill, line };
  const rest = Object.entries(pairs).map(
    ([part, [light, dark]]) => `--color-accent-${part}:light-dark(${light},${dark})`,
  );
  return `:root{--color-accent:${solid};${rest.join(";")}}`;
}
