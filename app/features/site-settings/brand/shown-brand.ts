import type { Language } from "../../../i18n/languages.ts";
import type { ShownBrand } from "../../../ui/layout/document.tsx";
import { accentOf, accentStyles } from "../../../values/accents.ts";
import { type Brand, senderOf } from "./brand.ts";

/** Returns the path of a brand's logo. Anonymous visitors may load it. */
function logoPath(file: string): string {
  return `/brand/${file}`;
}

export function shownBrand(brand: Brand, language: Language): ShownBrand {
  const { names, accent, logo, helpUrl, supportUrl } = brand;
  return {
    name: names[language],
    accentStyles: accentStyles(accent) ?? null,
    logo: logo ? { light: logoPath(logo.light), dark: logoPath(logo.dark) } : null,
    helpUrl: helpUrl ?? null,
    supportUrl: supportUrl ?? null,
  };
}

export function mailBrand(brand: Brand, baseUrl: string) {
  const { solid, ink } = accentOf(brand.accent);
  return {
    of: (language: Language) => ({
      name: brand.names[language],
      accent: { solid, ink: ink[0], inkOnDark: ink[1] },
      logoUrl: brand.logo && baseUrl + logoPath(brand.logo.light),
      supportUrl: brand.supportUrl,
      footer: brand.mailFooter,
    }),
    senderOf: (from: string) => senderOf(from, brand.senderName),
  };
}
