import { byLanguage, type Language } from "../../../i18n/languages.ts";
import { type AccentName, DEFAULT_ACCENT, isAccent } from "../../../values/accents.ts";
import { type BrandIcons, iconsInForce } from "./icons.ts";

export const PRODUCT_NAME_MAX_LENGTH = 40;
export const SENDER_NAME_MAX_LENGTH = 60;
export const MAIL_FOOTER_MAX_LENGTH = 300;

/** Fields of the form with a picture. */
export const BRAND_PICTURES = ["logoLight", "logoDark", "loginPicture"] as const;

export type BrandPicture = (typeof BRAND_PICTURES)[number];

/** The name and look of the product that are in force. */
export type Brand = {
  names: Record<Language, string>;
  accent: AccentName;
  /** File names of the logo for each theme; undefined without one, and then the product shows its gate. */
  logo: { light: string; dark: string } | undefined;
  /** File name of the picture of the sign-in pages. */
  loginPicture: string | undefined;
  /** File names of the icons for the logo and accent in force; undefined when none were made. */
  icons: BrandIcons | undefined;
  helpUrl: string | undefined;
  supportUrl: string | undefined;
  /** Name of the mails' sender; undefined for the one of `MAIL_FROM`. */
  senderName: string | undefined;
  /** Line at the foot of mails. */
  mailFooter: string | undefined;
};

/** The environment's values, which hold for what managers have not set. */
export type BrandDefaults = {
  name: string;
  accent: AccentName;
  helpUrl: string | undefined;
  supportUrl: string | undefined;
  mailFooter: string | undefined;
};

/** What managers have set; null for the default. */
export type BrandValues = {
  name: string | null;
  names: { [language: string]: string };
  accent: string | null;
  logoLight: string | null;
  logoDark: string | null;
  loginPicture: string | null;
  icons: { [kind: string]: string } | null;
  helpUrl: string | null;
  supportUrl: string | null;
  senderName: string | null;
  mailFooter: string | null;
};

/** Returns the brand in force: what managers have set, or else the environment. */
export function brandInForce(defaults: BrandDefaults, set: BrandValues | undefined): Brand {
  const name = set?.name ?? defaults.name;
  const light = set?.logoLight ?? set?.logoDark;
  const dark = set?.logoDark ?? set?.logoLight;
  return {
    names: byLanguage((language) => set?.names[language] ?? name),
    accent: isAccent(set?.accent) ? set.accent : (defaults.accent ?? DEFAULT_ACCENT),
    logo: light && dark ? { light, dark } : undefined,
    loginPicture: set?.loginPicture ?? undefined,
    icons: set && iconsInForce(set, defaults.accent),
    helpUrl: set?.helpUrl ?? defaults.helpUrl,
    supportUrl: set?.supportUrl ?? defaults.supportUrl,
    senderName: set?.senderName ?? set?.name ?? undefined,
    mailFooter: set?.mailFooter ?? defaults.mailFooter,
  };
}

/**
 * Returns the sender of mails: the address of `MAIL_FROM` with the brand's name, or `MAIL_FROM` unchanged. Quotes the
 * name, because a comma or a dot in it would end it (RFC 5322, section 3.2.4).
 */
export function senderOf(from: string, senderName: string | undefined): string {
  if (!senderName) return from;
  const address = /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
  return `"${senderName.replace(/[\\"\p{Cc}]/gu, "")}" <${address}>`;
}
