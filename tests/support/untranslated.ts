import { LANGUAGE_NAMES } from "../../app/i18n/languages.ts";
import { CURRENCIES } from "../../app/values/money.ts";
import { joinTexts } from "../../scripts/join-texts.ts";
import { readPage, textsOf } from "./page.ts";

/** Texts that the tests store themselves. */
const OWN_WORDS = ["zod-sample", "Spam reason", "xqz", "Amina Yusuf"];
/** Names that are the same in every language. */
const NAMES: readonly string[] = [
  ...CURRENCIES,
  // Before the shorter names that they contain.
  "OpenAPI",
  "OpenID Connect",
  "x-api-key",
  "Acme",
  "Firefox",
  "Linux",
  "CSV",
  "UTF-8",
  "JavaScript",
  "HTTPS",
  "UTF-8",
  "JavaScript",
  "UTC",
  "IP",
  "API",
  "JPEG",
  "PNG",
  "WebP",
  "Webhooks",
  "Webhook",
  "Cloudflare",
  "Resend",
  "R2",
  "If-Match",
  "Authorization",
  "Bearer",
  "Allow",
  "Retry-After",
  "Content-Type",
  "application/json",
  "JSON",
  "Python",
  "better-auth",
  "crm_id",
  // A sample of letters, and the level of WCAG.
  "Aa",
  "AA",
  "Git",
  "localhost",
  "DEMO",
  "PLAN",
  "name@example.com",
  ...Object.values(LANGUAGE_NAMES),
];

/** The example in the fields of domains. */
const SAMPLE_DOMAIN = "example.com";

type Translation = { text: string; pattern: RegExp };

function listTranslations(language: string): Translation[] {
  return leavesOf(joinTexts(language)).map((text) => ({ text, pattern: patternOf(text) }));
}

function leavesOf(node: unknown): string[] {
  if (typeof node === "string") return [node];
  return Object.values(node ?? {}).flatMap(leavesOf);
}

/** Returns a pattern of a translation with any value in its placeholders. */
function patternOf(translation: string): RegExp {
  const parts = translation
    .split(/\{\{.*?\}\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".+")}$`, "s");
}

/** Texts of features that stand in English in a language, as their files say. */
function leftInEnglish(language: string): Translation[] {
  const translated = new Set(leavesOf(joinTexts(language, undefined, { isWhole: false })));
  return listTranslations(language).filter(({ text }) => !translated.has(text));
}

const english = listTranslations("en").filter(({ text }) =>
  /\p{Letter}{3}/u.test(text.replace(/\{\{.*?\}\}/g, "")),
);

/** Returns the texts of a page: its text nodes, and the attributes that are shown or read aloud. */
function wordsOf(html: string): string[] {
  const { document } = readPage(html);
  const attributes = ["aria-label", "title", "placeholder", "alt"].flatMap((name) =>
    [...document.querySelectorAll(`[${name}]`)].map((element) => element.getAttribute(name) ?? ""),
  );
  return [...textsOf(document), ...attributes]
    .map((text) => text.replace(/[\u2066-\u2069]/g, "").trim())
    .filter((text) => /\p{Letter}/u.test(text) && text !== SAMPLE_DOMAIN);
}

/** Returns the texts of a page that are not in its language: English ones, and keys of translations. */
export function leftOver(html: string, language: string): string[] {
  const own = new Set(listTranslations(language).map(({ text }) => text));
  const left = leftInEnglish(language);
  return wordsOf(html).filter((text) => {
    if (NAMES.includes(text) || own.has(text) || text === "wrangler.toml") return false;
    if (left.some(({ pattern }) => pattern.test(text))) return false;
    const isEnglish = english.some(({ pattern }) => pattern.test(text));
    const isKey = /^[a-z]+[\w]*(\.\w+)+$/.test(text) && !text.includes("@");
    return isEnglish || isKey;
  });
}

/** Returns the texts with Latin words on an Arabic page, without names and stored texts. */
export function latinOf(html: string): string[] {
  const left = leftInEnglish("ar");
  return (
    wordsOf(html)
      .filter((text) => !left.some(({ pattern }) => pattern.test(text)))
      .map((text) =>
        [...NAMES, ...OWN_WORDS, ...left.map((one) => one.text)].reduce(
          (rest, name) => rest.replaceAll(name, ""),
          text,
        ),
      )
      .map((text) =>
        text.replace(/\S+@\S+|\bexample\.com\b|\S+\.\S+\/\S+|\[\S+\]|[\da-f-]{36}/g, ""),
      )
      // Names of settings, the file with the settings, and commands.
      .map((text) =>
        text.replace(/\b[A-Z][A-Z\d]*(_[A-Z\d]+)+\b|\bwrangler\.toml\b|\bnp[mx]( [\w-]+)+/g, ""),
      )
      .map((text) => text.replace(/\bURL\b/, ""))
      // The URL for the provider's webhook, the beginning of URLs, and the paths of the app.
      .map((text) => text.replace(/https?:\/\/\S*|\/app\/\S+/, ""))
      // The build's commit and version.
      .map((text) => text.replace(/^[\da-f]{7,}(-[\da-z]+)?$/, ""))
      // The records of the logs, as JSON.
      .filter((text) => !text.startsWith("{"))
      .filter((text) => /\p{Script=Latin}{2}/u.test(text))
  );
}
