import { globSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Sentences = Map<string, string>;

const LOCALES = new URL("../locales/", import.meta.url);
const SOURCE = "en";
const TRANSLATIONS = ["fr", "ar", "sw"];

const NAMES = ["Gatehouse", "GitHub", "Google", "OpenID Connect"];
// A language is called by its own name everywhere, so that whoever reads only that one finds it.
const LANGUAGE_NAMES = ["English", "Français", "العربية", "Kiswahili"];
/** What may read as it does in English: names, and the words that a language shares with it. */
const SAME_AS_ENGLISH = new Map([
  [
    "fr",
    new Set([
      ...NAMES,
      ...LANGUAGE_NAMES,
      "Code",
      "Date",
      "date",
      "Description",
      "Menu",
      "Session",
      "Sessions",
    ]),
  ],
  ["ar", new Set([...NAMES, ...LANGUAGE_NAMES])],
  ["sw", new Set([...NAMES, ...LANGUAGE_NAMES])],
]);

const files = listFiles(SOURCE);

function listFiles(language: string): string[] {
  return readdirSync(new URL(`${language}/`, LOCALES))
    .filter((name) => name.endsWith(".json"))
    .sort();
}

/** The sentences of one file, by dotted key. */
function readSentences(language: string, file: string): Sentences {
  const content: unknown = JSON.parse(
    readFileSync(new URL(`${language}/${file}`, LOCALES), "utf8"),
  );
  return new Map(flatten(content, ""));
}

function flatten(node: unknown, key: string): [string, string][] {
  if (typeof node === "string") return [[key, node]];
  if (typeof node !== "object" || node === null || Array.isArray(node)) {
    throw new Error(`"${key}" holds neither a sentence nor more keys`);
  }
  return Object.entries(node).flatMap(([name, child]) =>
    flatten(child, key ? `${key}.${name}` : name),
  );
}

const PLURAL_SUFFIX = /_(?:ordinal_)?(zero|one|two|few|many|other)$/;

/** The key without its plural category. `_other` is the form no plural lacks; without it, `_many` is just a name. */
function baseOf(key: string, sentences: Sentences): string {
  const base = key.replace(PLURAL_SUFFIX, "");
  const isOrdinal = key.startsWith(`${base}_ordinal_`);
  return sentences.has(`${base}${isOrdinal ? "_ordinal" : ""}_other`) ? base : key;
}

/** Keys without plural categories, each with its forms: one sentence, or one by category. */
function groupForms(sentences: Sentences): Map<string, Sentences> {
  const groups = new Map<string, Sentences>();
  for (const [key, sentence] of sentences) {
    const base = baseOf(key, sentences);
    const forms = groups.get(base) ?? new Map<string, string>();
    groups.set(base, forms.set(key.slice(base.length), sentence));
  }
  return groups;
}

function placeholdersOf(sentence: string): string[] {
  const found = [...sentence.matchAll(/\{\{(.*?)\}\}|\$t\((.*?)\)/g)].map(
    ([placeholder]) => placeholder,
  );
  return [...new Set(found)].sort();
}

/** What is left to read once the values are taken out. */
function hasLetters(sentence: string): boolean {
  return /\p{Letter}/u.test(sentence.replace(/\{\{.*?\}\}|\$t\(.*?\)|<[^>]*>/g, ""));
}

function isSharedWithEnglish(language: string, sentence: string): boolean {
  return SAME_AS_ENGLISH.get(language)?.has(sentence) ?? false;
}

const code = globSync("app/**/*.{ts,tsx}", { cwd: new URL("../", import.meta.url) })
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => readFileSync(new URL(`../${file}`, import.meta.url), "utf8"))
  .join("\n");

/** Keys that the code names in full, with or without their namespace and their values. */
const namedKeys = new Set(
  [...code.matchAll(/["'`]((?:[\w-]+:)?[\w.-]+)(?:\?[^"'`]*)?["'`]/g)].map(([, key]) => key),
);

/** Keys that the code puts together, such as `theme.${choice}` or `${name}.subject`. */
const composedKeys = [...code.matchAll(/`([^`]*\$\{[^`]*)`/g)]
  .map(([, template = ""]) => template.split(/\$\{[^}]*\}/).map((part) => part.split("?")[0] ?? ""))
  .filter((parts) => /^[\w:.-]*$/.test(parts.join("")))
  .filter(
    ([start = "", next = ""]) => /^\w+[.:]/.test(start) || (start === "" && /^\.\w/.test(next)),
  )
  .map((parts) => new RegExp(`^${parts.join("[\\w.-]+")}$`));

test("the code uses every sentence", () => {
  const unused = files.flatMap((file) => {
    const namespace = file.replace(".json", "");
    const sentences = readSentences(SOURCE, file);
    return [...sentences.keys()]
      .map((key) => baseOf(key, sentences))
      .filter((key) => {
        const names = [key, `${namespace}:${key}`];
        return !names.some(
          (name) => namedKeys.has(name) || composedKeys.some((pattern) => pattern.test(name)),
        );
      })
      .map((key) => `${namespace}:${key}`);
  });

  expect(composedKeys.length).toBeGreaterThan(10);
  expect(unused).toEqual([]);
});

test("English has sentences", () => {
  expect(files).toEqual(expect.arrayContaining(["codes.json", "validation.json"]));
});

test.each(TRANSLATIONS)("%s has the files that English has", (language) => {
  expect(listFiles(language)).toEqual(files);
});

for (const file of files) {
  const english = readSentences(SOURCE, file);
  const englishForms = groupForms(english);

  for (const language of [SOURCE, ...TRANSLATIONS]) {
    test(`${language}/${file} has no empty sentence`, () => {
      const empty = [...readSentences(language, file)].filter(
        ([, sentence]) => sentence.trim() === "",
      );

      expect(empty).toEqual([]);
    });

    test(`${language}/${file} has every plural form of its language, and no other`, () => {
      const sentences = readSentences(language, file);
      const wrong = [...groupForms(sentences)].filter(([, forms]) => {
        if (forms.has("")) return forms.size > 1;
        const type = forms.has("_ordinal_other") ? "ordinal" : "cardinal";
        const prefix = type === "ordinal" ? "_ordinal_" : "_";
        const categories = new Intl.PluralRules(language, { type }).resolvedOptions()
          .pluralCategories;
        const expected = categories.map((category) => prefix + category).sort();
        return [...forms.keys()].sort().join() !== expected.join();
      });

      expect(wrong).toEqual([]);
    });
  }

  for (const language of TRANSLATIONS) {
    test(`${language}/${file} has the keys that English has`, () => {
      const keys = [...groupForms(readSentences(language, file)).keys()].sort();

      expect(keys).toEqual([...englishForms.keys()].sort());
    });

    test(`${language}/${file} has the placeholders that English has`, () => {
      for (const [key, forms] of groupForms(readSentences(language, file))) {
        const expected = placeholdersOf([...(englishForms.get(key)?.values() ?? [])].join());
        // One form may name its number in words ("one result"), all of them together name every value.
        expect({ key, placeholders: placeholdersOf([...forms.values()].join()) }).toEqual({
          key,
          placeholders: expected,
        });
      }
    });

    test(`${language}/${file} is translated`, () => {
      const untranslated = [...readSentences(language, file)].filter(
        ([key, sentence]) =>
          sentence === english.get(key) &&
          hasLetters(sentence) &&
          !isSharedWithEnglish(language, sentence),
      );

      expect(untranslated).toEqual([]);
    });
  }

  test(`ar/${file} is written in Arabic`, () => {
    const latin = [...readSentences("ar", file).values()].filter(
      (sentence) =>
        hasLetters(sentence) &&
        !/\p{Script=Arabic}/u.test(sentence) &&
        !isSharedWithEnglish("ar", sentence),
    );

    expect(latin).toEqual([]);
  });
}
