import { cpSync, globSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Command, commitAll, expectSuccess, gitIn } from "../support/copy-commands.ts";
import { copyProject } from "../support/project-copy.ts";
import { isFull } from "../support/thoroughness.ts";

// Writes subjects into a copy of the project with `npm run new`: the copy passes the checks, the
// subject its own tests and the tables of tests that read its facts, and after its removal nothing of
// it is left. The gate does it for the sample; `npm run test:full` for each kind of owner, and for a
// subject that refers to another.

const SAMPLE = resolve(import.meta.dirname, "../samples/invoices");

/** The options of the sample, which a reader of the documents gets too. */
const INVOICE = [
  "invoice",
  "--fields",
  "number:text!unique, customer:text!, amount:money!, dueOn:day, status:choice(draft|sent|paid), notes:longtext",
  ...["--fr", "Facture|Factures", "--ar", "فاتورة|الفواتير", "--sw", "Ankara|Ankara za wateja"],
];

const EVERYTHING =
  "number:number, due:day!, at:moment, total:money, isPaid:yesno, mail:email, site:url, note:longtext";

type Written = { name: string; subjects: string[][]; folders: string[] };

const ALL: Written[] = [
  { name: "rows of an organization", subjects: [INVOICE], folders: ["invoices"] },
  {
    name: "rows of a person, with two words",
    subjects: [["reading list", "--personal", "--fields", `name:text!, ${EVERYTHING}`]],
    folders: ["reading-lists"],
  },
  {
    name: "rows of the site",
    subjects: [["holiday", "--global", "--fields", `name:text!unique, ${EVERYTHING}`]],
    folders: ["holidays"],
  },
  {
    name: "rows that refer to others",
    subjects: [
      ["customer", "--fields", "company:text!unique, mail:email"],
      ["work order", "--fields", "reference:text!, customer:ref(customer), assignee:user"],
    ],
    folders: ["work-orders", "customers"],
  },
];

const [FIRST, ...MORE] = ALL;
const WRITTEN = isFull ? ALL : ALL.filter((one) => one === FIRST);

/** Tables of tests that read the facts of features. */
const TABLES = [
  ...["access", "roles", "screens", "proof-table", "every-form", "own-data", "attackers"],
  ...["organization-isolation", "untranslated"],
].map((name) => `tests/integration/${name}.test.ts`);

const CHECKS: Command[] = [
  ["biome", "ci", "."],
  ["knip"],
  ["tsc", "--noEmit"],
  ["vitest", "run", "--project", "unit"],
  ["node", "scripts/build.ts"],
];

test.each(WRITTEN)(
  "$name: written, checked, tested, and taken out again",
  async ({ subjects, folders }) => {
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-new-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await copyProject(folder);
    commitAll(folder);
    for (const subject of subjects)
      await expectSuccess(folder, "node", "scripts/new.ts", ...subject);
    if (subjects.includes(INVOICE)) expectSample(folder);

    for (const check of CHECKS) await expectSuccess(folder, ...check);
    const own = folders.map((name) => `app/features/${name}/`);
    await expectSuccess(folder, "vitest", "run", "--project", "integration", ...own, ...TABLES);
    await expectSuccess(folder, "playwright", "test", ...own);

    for (const name of folders) await expectSuccess(folder, "node", "scripts/remove.ts", name);
    expect(gitIn(folder, "status", "--porcelain")).toBe("");
  },
);

// A file without a test of more would fail.
test("each kind of owner is written in the full run", () => {
  expect(MORE.map(({ subjects }) => subjects.length)).toEqual([1, 1, 2]);
});

/**
 * Compares what was written with the sample in `tests/samples`. GATEHOUSE_SAMPLE=write npm test --
 * removal writes the sample anew, for a diff that shows what a change of the templates does.
 */
function expectSample(folder: string): void {
  const files = [
    ...globSync("app/features/invoices/**/*.*", { cwd: folder }),
    ...globSync("{locales/*/invoices.json,migrations/*_invoices.sql}", { cwd: folder }),
  ].sort();
  const named = (file: string) =>
    file.replace("app/features/invoices/", "").replace(/migrations\/\d+/, "migrations/NNNN");
  if (process.env.GATEHOUSE_SAMPLE === "write") {
    rmSync(SAMPLE, { recursive: true, force: true });
    for (const file of files) cpSync(join(folder, file), join(SAMPLE, named(file)));
  }
  const sample = globSync("**/*.*", { cwd: SAMPLE }).sort();
  expect(files.map(named).sort()).toEqual(sample);
  for (const file of files) {
    expect(readFileSync(join(folder, file), "utf8"), file).toBe(
      readFileSync(join(SAMPLE, named(file)), "utf8"),
    );
  }
}
