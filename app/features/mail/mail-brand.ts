import type { Language } from "../../i18n/languages.ts";

/** A logo with its absolute URL and its size in pixels. */
export type MailLogo = { src: string; width: number; height: number };

export type MailBrand = {
  /** The product's name in the language of the mail. */
  name: string;
  /** CSS colours: of buttons, of lines and links on white, and of links on black. */
  accent: { solid: string; ink: string; inkOnDark: string };
  /** The logo for light and dark mails, if mail clients draw its type; undefined for the gate. */
  logo: { light: MailLogo | undefined; dark: MailLogo | undefined } | undefined;
  /** Page that a mail leads to where it says to contact support. */
  supportUrl: string | undefined;
  footer: string | undefined;
};

/** Reads the brand that is in force. */
export type MailBrandReader = (now: Date) => Promise<{
  of: (language: Language) => MailBrand;
  /** Returns `MAIL_FROM` with the brand's name. */
  senderOf: (from: string) => string;
}>;
