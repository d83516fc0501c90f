import { type AccentName, DEFAULT_ACCENT, isAccent } from "../../../values/accents.ts";

/** Icons that the browser makes of the brand: their side in pixels, and how the picture fits in. */
export const BRAND_ICONS = {
  /** Transparent, as large as the picture allows. */
  icon192: { side: 192, part: 1, isOpaque: false },
  icon512: { side: 512, part: 1, isOpaque: false },
  /**
   * A system may cut it to a circle of 80 % (W3C, Web Application Manifest, section "icon masks").
   */
  maskable512: { side: 512, part: 0.8, isOpaque: true },
  /** Apple's systems draw transparent pixels black. */
  touch180: { side: 180, part: 0.9, isOpaque: true },
} as const;

export type BrandIcon = keyof typeof BRAND_ICONS;

export const BRAND_ICON_NAMES = Object.keys(BRAND_ICONS) as [BrandIcon, ...BrandIcon[]];

/** Names of pictures in the bucket, and what they were made from. */
export type BrandIcons = Record<BrandIcon, string> & { of: string };

type IconSource = { logoLight: string | null; logoDark: string | null; accent: string | null };

/**
 * Returns the source of a brand's icons: its logo, or the gate in its accent. Undefined for the
 * gate in the default accent, whose icons are files of the product.
 */
export function iconSourceOf(
  { logoLight, logoDark, accent }: IconSource,
  defaultAccent: AccentName,
): string | undefined {
  const shown = isAccent(accent) ? accent : defaultAccent;
  return logoLight ?? logoDark ?? (shown === DEFAULT_ACCENT ? undefined : shown);
}

/** Returns the icons of a brand; undefined when they show an earlier logo or accent. */
export function iconsInForce(
  set: IconSource & { icons: { [kind: string]: string } | null },
  defaultAccent: AccentName,
): BrandIcons | undefined {
  const { icons } = set;
  return icons && isWhole(icons) && icons.of === iconSourceOf(set, defaultAccent)
    ? icons
    : undefined;
}

function isWhole(icons: { [kind: string]: string }): icons is BrandIcons {
  return BRAND_ICON_NAMES.every((name) => icons[name]);
}
