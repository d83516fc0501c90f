import type { Language } from "../../../i18n/languages.ts";
import type { ShownBrand, ShownLogo } from "../../../ui/layout/document.tsx";
import { factsOfPicture } from "../../../ui/text/picture-name.ts";
import { accentOf, accentStyles } from "../../../values/accents.ts";
import { type Brand, senderOf } from "./brand.ts";

/** Returns a brand's logo with its path, which anonymous visitors may load. */
export function shownLogo(file: string): ShownLogo {
  const { type, width, height } = factsOfPicture(file);
  return { src: `/brand/${file}`, type, width, height };
}

/** Returns the names of all pictures that a brand shows. */
export function filesOfBrand({ logo, loginPicture, icons }: Brand): string[] {
  const { of: _, ...files } = icons ?? { of: "" };
  return [logo?.light, logo?.dark, loginPicture, ...Object.values(files)].filter(
    (file) => file !== undefined,
  );
}

/** True for a WebP logo, which Outlook does not draw. */
export function isLeftOutOfMails(file: string): boolean {
  return factsOfPicture(file).type === "image/webp";
}

function mailLogo(file: string, baseUrl: string): ShownLogo | undefined {
  if (isLeftOutOfMails(file)) return undefined;
  const logo = shownLogo(file);
  return { ...logo, src: baseUrl + logo.src };
}

export function shownBrand(brand: Brand, language: Language): ShownBrand {
  const { names, accent, logo, loginPicture, icons, helpUrl, supportUrl } = brand;
  return {
    name: names[language],
    accentStyles: accentStyles(accent) ?? null,
    logo: logo ? { light: shownLogo(logo.light), dark: shownLogo(logo.dark) } : null,
    loginPicture: loginPicture ? shownLogo(loginPicture).src : null,
    icons: icons ? { page: shownLogo(icons.icon192), touch: shownLogo(icons.touch180) } : null,
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
      logo: brand.logo && {
        light: mailLogo(brand.logo.light, baseUrl),
        dark: mailLogo(brand.logo.dark, baseUrl),
      },
      supportUrl: brand.supportUrl,
      footer: brand.mailFooter,
    }),
    senderOf: (from: string) => senderOf(from, brand.senderName),
  };
}
