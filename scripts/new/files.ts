import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { blocksOf, marksOf } from "./blocks.ts";
import { render } from "./render.ts";
import type { Subject } from "./subject.ts";
import { knownAuditFields, textsOf, translatedTextsOf } from "./texts.ts";

const TEMPLATES = resolve(import.meta.dirname, "templates");

/** Files of every subject, by template: their names below its folder. */
const FILES = {
  "feature.ts": "feature.ts",
  "feature.server.ts": "feature.server.ts",
  "routes.ts": "routes.ts",
  "acts.ts": "acts.ts",
  "tables.server.ts": "tables.server.ts",
  "limits.ts": "in-voice-limits.ts",
  "input.ts": "input.ts",
  "values.ts": "in-voice-values.ts",
  "records.server.ts": "in-voices.server.ts",
  "list.server.ts": "in-voice-list.server.ts",
  "list.tsx": "in-voice-list.tsx",
  "form.tsx": "in-voice-form.tsx",
  "detail.tsx": "in-voice-detail.tsx",
  "samples.server.ts": "samples.server.ts",
  "api.ts": "api.ts",
  "docs.md": "docs.md",
  "routes/in-voices.tsx": "routes/in-voices.tsx",
  "routes/in-voices-export.ts": "routes/in-voices-export.ts",
  "routes/in-voice-new.tsx": "routes/in-voice-new.tsx",
  "routes/in-voice.tsx": "routes/in-voice.tsx",
  "routes/in-voice-update.tsx": "routes/in-voice-update.tsx",
  "routes/in-voice-answers.server.ts": "routes/in-voice-answers.server.ts",
  "routes/api-in-voices.ts": "routes/api-in-voices.ts",
  "routes/api-in-voice.ts": "routes/api-in-voice.ts",
  "tests/facts.ts": "tests/facts.ts",
  "tests/in-voices.ts": "tests/in-voices.ts",
  "tests/in-voices.test.ts": "tests/in-voices.test.ts",
  "tests/in-voices.spec.ts": "tests/in-voices.spec.ts",
};

/** Files of subjects with a mark. */
const MORE: Readonly<Record<string, Record<string, string>>> = {
  organization: {
    "panels.tsx": "panels.tsx",
    "routes/manager-in-voices.tsx": "routes/manager-in-voices.tsx",
    "routes/manager-in-voice.tsx": "routes/manager-in-voice.tsx",
    "routes/manager-in-voices-export.ts": "routes/manager-in-voices-export.ts",
  },
  personal: {},
  global: {
    "routes/app-in-voices.tsx": "routes/app-in-voices.tsx",
    "routes/app-in-voice.tsx": "routes/app-in-voice.tsx",
  },
  choosers: { "options.server.ts": "in-voice-options.server.ts" },
};

/** Returns the files of a subject, by their paths below the project's root, before they are formatted. */
export function filesOf(subject: Subject, root: string): Map<string, string> {
  const { words } = subject;
  const marks = marksOf(subject);
  const known = knownAuditFields(root);
  const blocks = blocksOf(subject, known);
  const fill = (template: string) => {
    const text = readFileSync(join(TEMPLATES, `${template}.txt`), "utf8");
    return withPaths(render(text, subject, marks, blocks), subject);
  };
  const files = new Map<string, string>();
  const all = [
    FILES,
    ...Object.entries(MORE).flatMap(([mark, more]) => (marks.has(mark) ? [more] : [])),
  ];
  for (const [template, name] of all.flatMap(Object.entries<string>)) {
    const path = name.replace("in-voices", words.many.kebab).replace("in-voice", words.one.kebab);
    files.set(`app/features/${words.many.kebab}/${path}`, fill(template));
  }
  files.set(`migrations/${nextMigration(root)}_${words.many.snake}.sql`, fill("migration.sql"));
  for (const language of globSync("*", { cwd: join(root, "locales") })) {
    const texts =
      language === "en" ? textsOf(subject, known) : translatedTextsOf(subject, language);
    files.set(
      `locales/${language}/${words.many.kebab}.json`,
      `${JSON.stringify(texts, null, 2)}\n`,
    );
  }
  return files;
}

/** Migrations of the product's updates stay below. */
const FIRST_OWN_MIGRATION = 5001;

function nextMigration(root: string): string {
  const last = globSync("migrations/[0-9]*.sql", { cwd: root }).sort().at(-1);
  const next = Number(/(\d{4})_/.exec(last ?? "")?.[1] ?? 0) + 1;
  return String(Math.max(FIRST_OWN_MIGRATION, next));
}

/** Puts URLs in the place of `@list`, `@new`, `@export`, `@item(id)` and `@update(id)`. */
function withPaths(text: string, { scope, words }: Subject): string {
  const name = words.many.kebab;
  const base = {
    organization: `/app/organizations/:slug/${name}`,
    personal: `/app/${name}`,
    global: `/manager/${name}`,
  }[scope];
  const isOfOrganization = scope === "organization";
  const key = isOfOrganization ? words.one.camel : "id";
  const slug = isOfOrganization ? ["slug"] : [];
  const call = (path: string, values: string[]) =>
    values.length > 0 ? `href("${path}", { ${values.join(", ")} })` : `href("${path}")`;
  const idOf = (value: string) => (value === key ? key : `${key}: ${value}`);
  return text
    .replaceAll("@list", call(base, slug))
    .replaceAll("@new", call(`${base}/new`, slug))
    .replaceAll("@export", call(`${base}/export`, slug))
    .replace(/@item\(([^)]*)\)/g, (_, id) => call(`${base}/:${key}`, [...slug, idOf(id)]))
    .replace(/@update\(([^)]*)\)/g, (_, id) => call(`${base}/:${key}/update`, [...slug, idOf(id)]));
}
