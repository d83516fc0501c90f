import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULT_LANGUAGE, LANGUAGES } from "../app/i18n/languages.ts";
import { joinTexts } from "../scripts/join-texts.ts";
import { APP_TESTS } from "./support/app-tests.ts";

type Translations = Map<string, string>;

const LOCALES = new URL("../locales/", import.meta.url);
const SOURCE = DEFAULT_LANGUAGE;
const TRANSLATED = LANGUAGES.filter((language) => language !== SOURCE);

const NAMES = ["Gatehouse", "GitHub", "Google", "Microsoft", "Apple", "OpenID Connect"];

const joined = new Map(
  [SOURCE, ...TRANSLATED].map((language) => [
    language,
    joinTexts(language, undefined, { isWhole: false }),
  ]),
);
const namespaces = Object.keys(joined.get(SOURCE) ?? {});

function listFiles(language: string): string[] {
  return readdirSync(new URL(`${language}/`, LOCALES))
    .filter((name) => name.endsWith(".json"))
    .sort();
}

/** Reads the joined translations of one namespace, by dotted key. */
function readTranslations(language: string, namespace: string): Translations {
  return new Map(flatten(joined.get(language)?.[namespace] ?? {}, ""));
}

function flatten(node: unknown, key: string): [string, string][] {
  if (typeof node === "string") return [[key, node]];
  if (typeof node !== "object" || node === null || Array.isArray(node)) {
    throw new Error(`"${key}" holds neither a translation nor more keys`);
  }
  return Object.entries(node).flatMap(([name, child]) =>
    flatten(child, key ? `${key}.${name}` : name),
  );
}

/** Keys of a namespace whose texts a feature leaves in English in a language, and says so. */
function leftInEnglish(language: string, namespace: string): string[] {
  return listFiles(language).flatMap((file) => {
    const read = (of: string) =>
      JSON.parse(readFileSync(new URL(`${of}/${file}`, LOCALES), "utf8"));
    if (read(language).rest !== SOURCE) return [];
    const { core = {}, features = {}, ...own } = read(SOURCE);
    const texts = [
      core[namespace] ?? {},
      features[namespace] ?? {},
      file === `${namespace}.json` ? own : {},
    ];
    return texts.flatMap((part) => flatten(part, "").map(([key]) => key));
  });
}

const PLURAL_SUFFIX = /_(?:ordinal_)?(zero|one|two|few|many|other)$/;

/** Returns the key without its plural category. Every plural has `_other`; without one, `_many` is part of the name. */
function baseOf(key: string, translations: Translations): string {
  const base = key.replace(PLURAL_SUFFIX, "");
  const isOrdinal = key.startsWith(`${base}_ordinal_`);
  return translations.has(`${base}${isOrdinal ? "_ordinal" : ""}_other`) ? base : key;
}

/** Groups the keys of one plural, each with its forms: one translation, or one for each category. */
function groupForms(translations: Translations): Map<string, Translations> {
  const groups = new Map<string, Translations>();
  for (const [key, translation] of translations) {
    const base = baseOf(key, translations);
    const forms = groups.get(base) ?? new Map<string, string>();
    groups.set(base, forms.set(key.slice(base.length), translation));
  }
  return groups;
}

function placeholdersOf(translation: string): string[] {
  const found = [...translation.matchAll(/\{\{(.*?)\}\}|\$t\((.*?)\)/g)].map(
    ([placeholder]) => placeholder,
  );
  return [...new Set(found)].sort();
}

/** True when a text has letters outside placeholders and tags. */
function hasLetters(translation: string): boolean {
  return /\p{Letter}/u.test(translation.replace(/\{\{.*?\}\}|\$t\(.*?\)|<[^>]*>/g, ""));
}

/** Returns the texts that may equal the English ones: names, and words that the language shares with English. */
function sharedWithEnglish(language: string): string[] {
  const file = new URL(`${language}/english-words.txt`, LOCALES);
  return [...NAMES, ...(existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [])];
}

function isSharedWithEnglish(language: string, translation: string): boolean {
  return sharedWithEnglish(language).includes(translation);
}

/** The templates of subjects are code too, once a subject is written. */
const code = globSync(["app/**/*.{ts,tsx}", "scripts/new/**/*.{ts,txt}"], {
  cwd: new URL("../", import.meta.url),
  exclude: APP_TESTS,
})
  .map((file) => readFileSync(new URL(`../${file}`, import.meta.url), "utf8"))
  .join("\n");

/** Keys that the code names in full, with or without a namespace and values. */
const namedKeys = new Set(
  [...code.matchAll(/["'`]((?:[\w-]+:)?[\w.-]+)(?:\?[^"'`]*)?["'`]/g)].map(([, key]) => key),
);

/** Keys that the code composes, such as `theme.${choice}` or `${name}.subject`. */
const composedKeys = [...code.matchAll(/`([^`]*\$\{[^`]*)`/g)]
  .map(([, template = ""]) => template.split(/\$\{[^}]*\}/).map((part) => part.split("?")[0] ?? ""))
  .filter((parts) => /^[\w:.-]*$/.test(parts.join("")))
  .filter(
    ([start = "", next = ""]) => /^\w+[.:]/.test(start) || (start === "" && /^\.\w/.test(next)),
  )
  .map((parts) => new RegExp(`^${parts.join("[\\w.-]+")}$`));

test("the code uses every translation", () => {
  // A namespace without a file has what features draw of one that was taken out.
  const files = listFiles(SOURCE);
  const withFile = namespaces.filter((namespace) => files.includes(`${namespace}.json`));
  const unused = withFile.flatMap((namespace) => {
    const translations = readTranslations(SOURCE, namespace);
    return [...translations.keys()]
      .map((key) => baseOf(key, translations))
      .filter((key) => {
        const names = [key, `${namespace}:${key}`];
        return !names.some(
          (name) => namedKeys.has(name) || composedKeys.some((pattern) => pattern.test(name)),
        );
      })
      .map((key) => `${namespace}:${key}`);
  });

  expect(withFile.length).toBeGreaterThan(10);
  expect(composedKeys.length).toBeGreaterThan(10);
  expect(unused).toEqual([]);
});

// French writes a space before a colon; `Labelled` writes both in each language.
test("no screen writes a colon between a label and its value", () => {
  expect(code.match(/\}: (?:<|\{t\()|<>\s*: <|\{": ?"\}/g) ?? []).toEqual([]);
});

test("English has translations", () => {
  expect(namespaces).toEqual(expect.arrayContaining(["codes", "validation"]));
});

test("each language has a folder, and each folder is of a language", () => {
  expect(readdirSync(LOCALES).sort()).toEqual([...LANGUAGES].sort());
});

test.each(TRANSLATED)("%s has the files that English has", (language) => {
  expect(listFiles(language)).toEqual(listFiles(SOURCE));
});

/** Joins made-up files, by namespace. */
function joinFiles(files: Record<string, object>) {
  const locales = mkdtempSync(join(tmpdir(), "texts-"));
  try {
    mkdirSync(join(locales, "en"));
    for (const [namespace, texts] of Object.entries(files)) {
      writeFileSync(join(locales, `en/${namespace}.json`), JSON.stringify(texts));
    }
    return joinTexts("en", locales);
  } finally {
    rmSync(locales, { recursive: true });
  }
}

test("what the core draws of a feature is joined into the core's namespaces", () => {
  const events = { user: { created: "User created" } };
  const ships = {
    title: "Ships",
    core: { events: { ship: { sunk: "Ship sunk" }, user: { drowned: "User drowned" } } },
  };
  const tides = { core: { events: { tide: { high: "High tide" } } } };

  expect(joinFiles({ events, ships, tides })).toEqual({
    events: {
      user: { created: "User created", drowned: "User drowned" },
      ship: { sunk: "Ship sunk" },
      tide: { high: "High tide" },
    },
    ships: { title: "Ships" },
  });
});

test.each([
  ["a text", { created: "Once more" }],
  ["a group of texts", { created: { at: "Once more" } }],
])("%s where the core has a text is refused, with its file and key", (_, user) => {
  const events = { user: { created: "User created" } };

  expect(() => joinFiles({ events, ships: { core: { events: { user } } } })).toThrow(
    "locales/en/ships.json: core.events.user.created is in another file too",
  );
});

test("what a file leaves in English is filled from there", () => {
  const locales = mkdtempSync(join(tmpdir(), "texts-"));
  const english = { title: "Ships", fields: { name: "Name" }, core: { events: { ship: "Ship" } } };
  const french = { rest: "en", title: "Navires" };
  for (const [path, texts] of Object.entries({
    "en/ships": english,
    "en/events": { user: "User" },
    "fr/ships": french,
    "fr/events": { user: "Compte" },
  })) {
    mkdirSync(join(locales, path.slice(0, 2)), { recursive: true });
    writeFileSync(join(locales, `${path}.json`), JSON.stringify(texts));
  }

  expect(joinTexts("fr", locales)).toEqual({
    events: { user: "Compte", ship: "Ship" },
    ships: { title: "Navires", fields: { name: "Name" } },
  });
  expect(joinTexts("fr", locales, { isWhole: false })).toEqual({
    events: { user: "Compte" },
    ships: { title: "Navires" },
  });
  rmSync(locales, { recursive: true });
});

test("two features with one key of the core are refused", () => {
  const core = { events: { ship: "Ship" } };

  expect(() => joinFiles({ boats: { core }, events: { user: "User" }, ships: { core } })).toThrow(
    "locales/en/ships.json: core.events.ship is in another file too",
  );
});

test("texts for a namespace that is not there are refused", () => {
  expect(() => joinFiles({ ships: { core: { harbours: { open: "Open" } } } })).toThrow(
    "locales/en/ships.json: no namespace is named by core.harbours",
  );
});

test("texts for another feature stay apart when that one is gone", () => {
  const ships = { title: "Ships", features: { tides: { ship: "High enough for a ship" } } };
  const tides = { title: "Tides" };

  expect(joinFiles({ ships, tides })).toEqual({
    ships: { title: "Ships" },
    tides: { title: "Tides", ship: "High enough for a ship" },
  });
  expect(joinFiles({ ships })).toEqual({
    ships: { title: "Ships" },
    tides: { ship: "High enough for a ship" },
  });
});

for (const namespace of namespaces) {
  const english = readTranslations(SOURCE, namespace);
  const englishForms = groupForms(english);

  for (const language of [SOURCE, ...TRANSLATED]) {
    test(`${language}/${namespace} has no empty translation`, () => {
      const empty = [...readTranslations(language, namespace)].filter(
        ([, translation]) => translation.trim() === "",
      );

      expect(empty).toEqual([]);
    });

    test(`${language}/${namespace} has every plural form of its language, and no other`, () => {
      const translations = readTranslations(language, namespace);
      const wrong = [...groupForms(translations)].filter(([, forms]) => {
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

  for (const language of [SOURCE, ...TRANSLATED]) {
    test(`${language}/${namespace} has plural forms for every text about a count`, () => {
      const single = [...groupForms(readTranslations(language, namespace))].filter(([, forms]) => {
        const only = forms.get("");
        // A label with its figure, such as "Deleted: 3", has the same form for each number.
        return only?.replace(/:\s*\{\{count\}\}/, "").includes("{{count}}");
      });

      expect(single).toEqual([]);
    });
  }

  for (const language of TRANSLATED) {
    test(`${language}/${namespace} has the keys that English has`, () => {
      const translations = readTranslations(language, namespace);
      const keys = [...groupForms(translations).keys()].sort();
      const left = leftInEnglish(language, namespace).filter((key) => !translations.has(key));

      expect(keys).toEqual([...englishForms.keys()].filter((key) => !left.includes(key)).sort());
    });

    test(`${language}/${namespace} has the placeholders that English has`, () => {
      for (const [key, forms] of groupForms(readTranslations(language, namespace))) {
        const expected = placeholdersOf([...(englishForms.get(key)?.values() ?? [])].join());
        // One form may write its number as a word ("one result"); together the forms use every placeholder.
        expect({ key, placeholders: placeholdersOf([...forms.values()].join()) }).toEqual({
          key,
          placeholders: expected,
        });
      }
    });

    test(`${language}/${namespace} is translated`, () => {
      const untranslated = [...readTranslations(language, namespace)].filter(
        ([key, translation]) =>
          translation === english.get(key) &&
          hasLetters(translation) &&
          !isSharedWithEnglish(language, translation),
      );

      expect(untranslated).toEqual([]);
    });
  }

  test(`ar/${namespace} is written in Arabic`, () => {
    const latin = [...readTranslations("ar", namespace).values()].filter(
      (translation) =>
        hasLetters(translation) &&
        !/\p{Script=Arabic}/u.test(translation) &&
        !isSharedWithEnglish("ar", translation),
    );

    expect(latin).toEqual([]);
  });
}

test.each(namespaces)("fr/%s keeps French punctuation on the line of its word", (namespace) => {
  const loose = [...readTranslations("fr", namespace)].filter(([, translation]) =>
    /(^|[^\u00a0])[:;?!»%](?!\S)|«[^\u00a0]/.test(translation.replace(/\{\{.*?\}\}/g, "0")),
  );

  expect(loose).toEqual([]);
});

/** Keys of errors outside the two files that hold nothing else. */
const ERRORS =
  /(?:^|\.)refusal\.|^linked\.(?:refused|taken)$|^datePicker\.refused$|(?:^|\.)(?:notRetried|tooMany|gone|alreadyBanned|notBanned|sameRole|notRestored|thereAgain|notDeleted|missing|notPicture|tooLarge|notTaken|notMade|slugTaken)$/;

// The specification writes "Email is invalid", but "Session expired. Re-authenticate to perform this action."
test.each([SOURCE, ...TRANSLATED])(
  "%s has a full stop after an error of several sentences, and none after one",
  (language) => {
    const errors = namespaces.flatMap((namespace) =>
      [...readTranslations(language, namespace)].filter(
        ([key]) => ["codes", "validation"].includes(namespace) || ERRORS.test(key),
      ),
    );
    const wrong = errors.filter(
      ([, error]) => /[.!?؟]\s/.test(error) !== /[.!?؟]$/.test(error.trim()),
    );

    expect(errors.length).toBeGreaterThan(200);
    expect(wrong).toEqual([]);
  },
);
