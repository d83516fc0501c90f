// A feature's file of texts has, under `core`, the texts that the core draws of it, by namespace of
// the core. They are joined into these namespaces, so that no page loads more files, and the
// feature's file goes as a whole. Under `features` it has what other features draw of it. A
// namespace of one that was taken out then holds these texts alone, and no page loads it.
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Plugin } from "vite";

export type Texts = { [key: string]: string | Texts };

type Namespaces = { [namespace: string]: Texts };

/**
 * A file in `locales`: a namespace, and what the core and other features draw of a feature. With `rest: "en"` what it
 * has not stands in English.
 */
type TextFile = Texts & { core?: Namespaces; features?: Namespaces; rest?: "en" };

const LOCALES = resolve(import.meta.dirname, "../locales");
/** Vite reads the texts here. */
const JOINED = resolve(import.meta.dirname, "../.texts");

/**
 * Returns the namespaces of a language with their joined texts. Throws for a key that two files have. `isWhole: false`
 * leaves out what only English has.
 */
export function joinTexts(
  language: string,
  locales = LOCALES,
  { isWhole = true } = {},
): { [namespace: string]: Texts } {
  const files = globSync("*.json", { cwd: join(locales, language) }).sort();
  const read = files.map((file) => {
    const texts = readTexts(join(locales, language, file));
    const whole =
      isWhole && texts.rest ? filled(texts, readTexts(join(locales, texts.rest, file))) : texts;
    return { file, ...whole };
  });
  const namespaces: Namespaces = Object.fromEntries(
    read
      .filter(({ own }) => Object.keys(own).length > 0)
      .map(({ file, own }) => [basename(file, ".json"), own]),
  );
  for (const { file, core, features } of read) {
    const path = `locales/${language}/${file}`;
    for (const [namespace, texts] of Object.entries(core)) {
      const joined = namespaces[namespace];
      const name = `core.${namespace}`;
      if (!joined) throw new Error(`${path}: no namespace is named by ${name}`);
      addTexts(joined, texts, (key) => `${path}: ${name}.${key}`);
    }
    for (const [namespace, texts] of Object.entries(features)) {
      namespaces[namespace] ??= {};
      addTexts(namespaces[namespace], texts, (key) => `${path}: features.${namespace}.${key}`);
    }
  }
  return namespaces;
}

function readTexts(file: string) {
  try {
    const texts: TextFile = JSON.parse(readFileSync(file, "utf8"));
    const { core = {}, features = {}, rest, ...own } = texts;
    return { core, features, own, rest };
  } catch (error) {
    throw new Error(`${file} is no JSON`, { cause: error });
  }
}

type Read = ReturnType<typeof readTexts>;

/** Returns texts with those of another language where they have none. */
function filled(texts: Read, { core, features, own }: Read): Read {
  return {
    core: fill(texts.core, core),
    features: fill(texts.features, features),
    own: fill(texts.own, own),
    rest: texts.rest,
  };
}

function fill<Node extends Texts>(texts: Node, others: Node): Node {
  const all = Object.entries(others).map(([key, other]) => {
    const text = texts[key];
    if (typeof text === "object" && typeof other === "object") return [key, fill(text, other)];
    return [key, text ?? other];
  });
  return { ...texts, ...Object.fromEntries(all) };
}

function addTexts(joined: Texts, texts: Texts, describe: (path: string) => string) {
  for (const [key, text] of Object.entries(texts)) {
    const there = joined[key];
    if (there === undefined) joined[key] = text;
    else if (typeof there === "string" || typeof text === "string") {
      throw new Error(`${describe(key)} is in another file too`);
    } else addTexts(there, text, (path) => describe(`${key}.${path}`));
  }
}

/** Writes the joined texts of each language for Vite. Files that are right stay untouched. */
function writeJoinedTexts() {
  const stale = new Set(globSync("*/*.json", { cwd: JOINED }));
  for (const language of globSync("*", { cwd: LOCALES })) {
    for (const [namespace, texts] of Object.entries(joinTexts(language))) {
      const file = join(language, `${namespace}.json`);
      const content = `${JSON.stringify(texts, null, 2)}\n`;
      if (!stale.delete(file)) writeWhole(join(JOINED, file), content);
      else if (readFileSync(join(JOINED, file), "utf8") !== content) {
        // Vite sees no change of a file that another one replaces.
        writeFileSync(join(JOINED, file), content);
      }
    }
  }
  for (const file of stale) rmSync(join(JOINED, file), { force: true });
}

/** Of a fresh clone, unit tests read the files while a build writes them, so no reader may see half a file. */
function writeWhole(file: string, content: string) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, content);
  renameSync(`${file}.${process.pid}`, file);
}

/** Joins the texts before a build, a test or the dev server reads them, and again when a file of `locales` changes. */
export function joinedTexts(): Plugin {
  return {
    name: "joined-texts",
    config: writeJoinedTexts,
    configureServer({ watcher, config }) {
      watcher.on("all", (_event, path) => {
        if (!path.startsWith(LOCALES)) return;
        try {
          writeJoinedTexts();
        } catch (error) {
          // A file that is being written, or a key too many: the texts before it stay.
          config.logger.error(String(error));
        }
      });
    },
    hotUpdate({ file }) {
      if (!file.startsWith(JOINED)) return;
      // The server keeps an i18n instance for each language, so it starts anew.
      this.environment.hot.send({ type: "full-reload" });
      return [];
    },
  };
}
