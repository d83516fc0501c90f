import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** ISO 639 keeps this tag for private use, so the product will never have it. */
const TAG = "qaa";

const LETTERS: Record<string, string> = {
  a: "á",
  e: "é",
  i: "í",
  o: "ó",
  u: "ú",
  y: "ý",
  A: "Á",
  E: "É",
  I: "Í",
  O: "Ó",
  U: "Ú",
  Y: "Ý",
};

/** What a translation keeps: placeholders, other texts inside it, and tags. */
const KEPT = /(\{\{.*?\}\}|\$t\(.*?\)|<[^>]*>)/;

/** Adds a language to a copy of the project, as CONTRIBUTING.md says: a folder and a line. Its texts are English with accents. */
export function addLanguage(project: string): void {
  const list = join(project, "app/i18n/languages.ts");
  const end = "} as const satisfies Record<string, LanguageFacts>;";
  const parts = readFileSync(list, "utf8").split(end);
  if (parts.length !== 2) throw new Error(`${list} has no list of languages`);
  writeFileSync(list, parts.join(`  ${TAG}: { name: "Máde úp" },\n${end}`));

  const folder = join(project, "locales", TAG);
  mkdirSync(folder);
  const same: string[] = [];
  for (const file of globSync("*.json", { cwd: join(project, "locales/en") })) {
    const english = readFileSync(join(project, "locales/en", file), "utf8");
    const texts = JSON.parse(english, (_, value) => {
      if (typeof value !== "string") return value;
      const text = translate(value);
      if (text === value) same.push(value);
      return text;
    });
    writeFileSync(join(folder, file), `${JSON.stringify(texts, null, 2)}\n`);
  }
  writeFileSync(join(folder, "english-words.txt"), `${same.join("\n")}\n`);
}

function translate(text: string): string {
  return text
    .split(KEPT)
    .map((part) => (KEPT.test(part) ? part : part.replace(/./gsu, (one) => LETTERS[one] ?? one)))
    .join("");
}
