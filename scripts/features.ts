// npm run features: prints the features that can be taken out and what each has: what a newcomer reads first.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runnerImport } from "vite";
import type { Job } from "../app/feature.server.ts";
import type { FeatureRoute } from "../app/feature.ts";
import { type KnownFeature, listFeatures, ROOT } from "./features/known.ts";

/** What comes before a URL of a feature, by its place. */
const BEFORE: Record<FeatureRoute["in"], string> = {
  root: "/",
  login: "/login/",
  app: "/app/",
  organization: "/app/organizations/:slug/",
  account: "/app/account/",
  manager: "/manager/",
  "manager-files": "/manager/",
  settings: "/manager/settings/",
};

const features = listFeatures();
for (const feature of features) {
  const rows = await describe(feature);
  const shown = rows.filter(([, value]) => value !== "");
  console.log(`\n${feature.name}: ${sentenceOf(feature)}`);
  for (const [label, value] of shown) console.log(`  ${label.padEnd(12)} ${value}`);
}
const ofFeatures = features.reduce((sum, { folder }) => sum + codeLinesOf(folder), 0);
console.log(`\ncore: ${format(codeLinesOf("app") - ofFeatures)} lines`);

async function describe(feature: KnownFeature): Promise<[label: string, value: string][]> {
  const { facts, folder, routes, migrations } = feature;
  const { minute = [], hour = [] } = await readServer(folder);
  const permissions = [facts.permissions, facts.organizationPermissions].flatMap((table) =>
    Object.entries(table ?? {}).flatMap(([resource, actions]) =>
      Object.keys(actions).map((action) => `${resource}.${action}`),
    ),
  );
  const tests = linesOf(filesIn(folder).filter(isTest));
  return [
    ["needs", feature.needs.join(", ")],
    ["in English", feature.texts.flatMap(leftInEnglish).join(", ")],
    ["lines", `${format(codeLinesOf(folder))}, and ${format(tests)} of tests`],
    ["screens", routes.map((route) => BEFORE[route.in] + route.path).join(", ")],
    ["permissions", permissions.join(", ")],
    ["events", Object.keys(facts.audit ?? {}).join(", ")],
    ["tables", migrations.flatMap(tablesOf).join(", ")],
    ["mails", Object.keys(facts.mails ?? {}).join(", ")],
    [
      "panels",
      Object.entries(facts.panels ?? {})
        .map(([name, { in: at }]) => `${name} (${at})`)
        .join(", "),
    ],
    ["cron", [...namesOf("minute", minute), ...namesOf("hour", hour)].join(", ")],
  ];
}

/** The first sentence above the facts. */
function sentenceOf({ folder }: KnownFeature): string {
  const source = readFileSync(join(ROOT, folder, "feature.ts"), "utf8");
  const [, comment = ""] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export const/.exec(source) ?? [];
  return comment.replace(/\s*\n\s*\*\s*/g, " ").trim();
}

/** The languages of a file of texts in which a part of it stands in English, and how many texts that are. */
function leftInEnglish(file: string): string[] {
  const [, language = "", name = ""] = file.split("/");
  const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), "utf8"));
  const { rest, ...texts } = read(file);
  if (rest === undefined) return [];
  const left = countTexts(read(`locales/${rest}/${name}`)) - countTexts(texts);
  return [`${language} (${format(left)} texts)`];
}

function countTexts(node: unknown): number {
  if (typeof node !== "object" || node === null) return 1;
  return Object.values(node).reduce((sum: number, child) => sum + countTexts(child), 0);
}

type Server = { minute?: readonly Job[]; hour?: readonly Job[] };

async function readServer(folder: string): Promise<Server> {
  const file = join(ROOT, folder, "feature.server.ts");
  if (!existsSync(file)) return {};
  const { module } = await runnerImport<Record<string, Server>>(file, { configFile: false });
  return Object.entries(module).find(([name]) => name.endsWith("Server"))?.[1] ?? {};
}

function namesOf(schedule: string, jobs: readonly Job[]): string[] {
  return jobs.map(({ name }) => `${name} (each ${schedule})`);
}

function tablesOf(migration: string): string[] {
  const source = readFileSync(join(ROOT, migration), "utf8");
  return [...source.matchAll(/^CREATE (?:VIRTUAL )?TABLE (\w+)/gim)].map(([, name = ""]) => name);
}

function isTest(file: string): boolean {
  return /\.test\.ts$|\/tests\//.test(file);
}

/** Lines of code in a folder, without its tests. */
function codeLinesOf(folder: string): number {
  return linesOf(filesIn(folder).filter((file) => !isTest(file)));
}

function filesIn(folder: string): string[] {
  return globSync(`${folder}/**/*.{ts,tsx,css}`, { cwd: ROOT });
}

function linesOf(files: readonly string[]): number {
  const texts = files.map((file) => readFileSync(join(ROOT, file), "utf8"));
  return texts.reduce((sum, text) => sum + text.split("\n").length - 1, 0);
}

function format(count: number): string {
  return count.toLocaleString("en");
}
