// npm run remove -- NAME: takes a feature out: its folder, its lines in the lists, its texts, its
// migration and the packages that it alone imports. With --with-dependents also the features that
// need it. With --deployed a database has its tables: a new migration drops them, and the old one
// stays.
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { dropsOf } from "./features/drops.ts";
import { type KnownFeature, LISTS, listFeatures, ROOT, withDependents } from "./features/known.ts";
import { withoutImports } from "./features/without-imports.ts";
import { run } from "./run.ts";
import { fail, step } from "./terminal.ts";

const USAGE = "npm run remove -- NAME [--with-dependents] [--deployed]";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    "with-dependents": { type: "boolean", default: false },
    deployed: { type: "boolean", default: false },
  },
});
const [name] = positionals;
const features = listFeatures();
const known = features.map((feature) => feature.name).join(", ");
if (!name) fail(`Usage: ${USAGE}\nFeatures: ${known}`);
const removed = withDependents(name, features);
if (removed.length === 0) fail(`There is no feature ${name}. Features: ${known}`);
const dependents = removed.filter((feature) => feature.name !== name);
if (dependents.length > 0 && !values["with-dependents"]) {
  const names = dependents.map((feature) => feature.name).join(", ");
  fail(`${names} need ${name}. To take all of them out: ${USAGE.replace("NAME", name)}`);
}

for (const feature of removed) await remove(feature);
await step(
  "format",
  () => runQuietly("biome", "check", "--write", ...LISTS),
  () => LISTS.join(", "),
);
await step(
  "schema",
  () => runQuietly("node", "scripts/schema.ts"),
  () => "docs/schema.sql",
);
await step(
  "types",
  () => runQuietly("react-router", "typegen"),
  () => "of the routes that are left",
);
console.log("\nNow: npm run check, and npm test. What documents say of it is yours to change.");

async function remove(feature: KnownFeature): Promise<void> {
  const packages = packagesOfAlone(feature);
  await step(
    feature.name,
    async () => {
      for (const list of LISTS) {
        const path = join(ROOT, list);
        writeFileSync(
          path,
          withoutImports(readFileSync(path, "utf8"), `./features/${feature.name}/`),
        );
      }
      if (values.deployed) writeDrops(feature);
      const files = [
        feature.folder,
        ...feature.texts,
        ...(values.deployed ? [] : feature.migrations),
      ];
      for (const file of files) rmSync(join(ROOT, file), { recursive: true });
      if (packages.length > 0) {
        await runQuietly("npm", "uninstall", "--package-lock-only", "--no-audit", ...packages);
      }
      return [...files, ...packages];
    },
    (gone) => gone.join(", "),
  );
}

/** Writes a migration that drops what the feature's own has made. */
function writeDrops({ name: feature, migrations }: KnownFeature): void {
  const drops = migrations.flatMap((file) => dropsOf(readFileSync(join(ROOT, file), "utf8")));
  const last = globSync("migrations/[0-9]*.sql", { cwd: ROOT }).sort().at(-1) ?? "migrations/0000";
  const number = Number.parseInt(last.replace("migrations/", ""), 10) + 1;
  const file = `${String(number).padStart(4, "0")}_remove_${feature.replaceAll("-", "_")}.sql`;
  writeFileSync(join(ROOT, "migrations", file), `${drops.join("\n")}\n`);
}

/** Returns the packages of package.json that no file outside the feature's folder names. */
function packagesOfAlone({ folder }: KnownFeature): string[] {
  const {
    dependencies = {},
    devDependencies = {},
  }: Record<string, Record<string, string>> = JSON.parse(
    readFileSync(join(ROOT, "package.json"), "utf8"),
  );
  const sources = "{app,bench,scripts,tests}/**/*.{ts,tsx,js,cjs,css}";
  const files = [
    ...globSync(sources, { cwd: ROOT }),
    ...globSync("*.{ts,json,toml}", { cwd: ROOT }),
  ];
  const others = files.filter((file) => !/^package(-lock)?\.json$/.test(file));
  const textOf = (chosen: string[]) =>
    chosen.map((file) => readFileSync(join(ROOT, file), "utf8")).join("\n");
  const inside = textOf(others.filter((file) => file.startsWith(`${folder}/`)));
  const outside = textOf(others.filter((file) => !file.startsWith(`${folder}/`)));
  return Object.keys({ ...dependencies, ...devDependencies }).filter((one) => {
    const isNamed = new RegExp(`["']${one}(["'/])`);
    return isNamed.test(inside) && !isNamed.test(outside);
  });
}

async function runQuietly(command: string, ...args: string[]): Promise<void> {
  const { code, output } = await run(command, args, { quiet: true, cwd: ROOT });
  if (code !== 0) fail(`${command} ${args.join(" ")} failed:\n${output}`);
}
