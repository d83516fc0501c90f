// npm run new -- invoice --fields "number:text!unique, amount:money!, status:choice(draft|sent|paid)":
// writes a subject of one's own: a feature with its table, screens, API, texts and tests. From then on
// it is code like any other.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { LISTS, listFeatures, ROOT } from "./features/known.ts";
import { filesOf } from "./new/files.ts";
import { withSubject } from "./new/lists.ts";
import {
  type Referred,
  Refused,
  readSubject,
  SCOPES,
  type Scope,
  type Subject,
} from "./new/subject.ts";
import { run } from "./run.ts";
import { openMigratedSqlite } from "./schema/print.ts";
import { fail, step } from "./terminal.ts";

const USAGE = `npm run new -- NAME --fields "name:text!unique, amount:money!, dueOn:day, status:choice(draft|sent)"
  [--plural NAMES] [--organization | --personal | --global] [--LANGUAGE "Singular|Plural"]
A field is name:type. ! says that it must be filled in, !unique that no two of an owner are equal (the first field only).
Types: text, longtext, number, money, day, moment, choice(a|b), yesno, email, url, user, ref(subject).`;

const LANGUAGES = globSync("*", { cwd: join(ROOT, "locales") }).sort();

const subject = read();
const files = filesOf(subject, ROOT);
const { kebab } = subject.words.many;
if (existsSync(join(ROOT, "app/features", kebab))) fail(`There is a feature ${kebab} already.`);

for (const file of files.keys()) {
  if (existsSync(join(ROOT, file))) fail(`There is a file ${file} already: choose another name.`);
}
try {
  const migration = [...files].find(([path]) => path.endsWith(".sql"))?.[1] ?? "";
  openMigratedSqlite().exec(migration);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  fail(`Its table cannot be made: ${reason}. Choose other names.`);
}

await step(
  kebab,
  async () => {
    for (const [path, text] of files) write(path, text);
    const lists = Object.fromEntries(LISTS.map((path) => [path, readText(path)]));
    for (const [path, text] of Object.entries(withSubject(lists, subject))) write(path, text);
  },
  () => `${files.size} files`,
);
await step(
  "format",
  () => runQuietly("biome", "check", "--write", ...LISTS, ...files.keys()),
  () => "by Biome",
);
await step(
  "schema",
  () => runQuietly("node", "scripts/schema.ts"),
  () => "docs/schema.sql",
);
await step(
  "types",
  () => runQuietly("react-router", "typegen"),
  () => "of the routes",
);
const code = [...files].filter(([path]) => path.startsWith("app/") && !path.includes("/tests/"));
const lines = code.reduce((sum, [path]) => sum + readText(path).split("\n").length - 1, 0);
console.log(`
${lines} lines of code in ${code.length} files. Its texts in other languages stand in English: \`npm run features\` names them.
Now: npm run check, npm start. To take it out again: npm run remove -- ${kebab}`);

function read(): Subject {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        fields: { type: "string", default: "name:text!" },
        plural: { type: "string" },
        ...Object.fromEntries(SCOPES.map((scope) => [scope, { type: "boolean" as const }])),
        ...Object.fromEntries(LANGUAGES.map((language) => [language, { type: "string" as const }])),
      },
    });
    const given: Record<string, unknown> = values;
    const [name, ...others] = positionals;
    if (!name || others.length > 0) fail(`Usage: ${USAGE}`);
    const scopes = SCOPES.filter((one) => given[one]);
    if (scopes.length > 1) throw new Refused(`Whose are its rows: ${scopes.join(" or ")}?`);
    const half = LANGUAGES.find((one) => given[one] && !/^[^|]+\|[^|]+$/.test(String(given[one])));
    if (half) throw new Refused(`--${half} needs two titles: --${half} "Singular|Plural".`);
    const titles = LANGUAGES.flatMap((language): [string, readonly [string, string]][] => {
      const [one, many] = String(given[language] ?? "").split("|");
      return one && many ? [[language, [one, many]]] : [];
    });
    return readSubject({
      name,
      plural: values.plural,
      fields: values.fields,
      scope: scopes[0] ?? "organization",
      titles: Object.fromEntries(titles),
      subjects: subjectsThatThereAre(),
    });
  } catch (error) {
    if (error instanceof Refused) fail(error.message);
    if (error instanceof TypeError) fail(`${error.message}\nUsage: ${USAGE}`);
    throw error;
  }
}

/** What a field may refer to. */
function subjectsThatThereAre(): Record<string, Referred> {
  const things = listFeatures().flatMap(({ name: folder, facts }) =>
    Object.entries(facts.things ?? {}).map(([kind, thing]): [string, Referred] => {
      const inCode = (name: string) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
      const [table, title] = [inCode(kind), inCode(thing.title)];
      return [table, { table, column: thing.table, folder, title, scope: scopeOf(thing.table) }];
    }),
  );
  return Object.fromEntries(things);
}

/** Whose the rows of a table are, by the column of their owner. */
function scopeOf(table: string): Scope {
  const columns = openMigratedSqlite()
    .prepare("SELECT name FROM pragma_table_info(?)")
    .all(table)
    .map(({ name }) => name);
  if (columns.includes("organization_id")) return "organization";
  return columns.includes("owner_id") ? "personal" : "global";
}

function readText(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(ROOT, path)), { recursive: true });
  writeFileSync(join(ROOT, path), text);
}

async function runQuietly(command: string, ...args: string[]): Promise<void> {
  const { code: status, output } = await run(command, args, { quiet: true, cwd: ROOT });
  if (status !== 0) fail(`${command} ${args.join(" ")} failed:\n${output}`);
}
