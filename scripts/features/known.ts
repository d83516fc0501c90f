import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { FeatureFacts, FeatureRoute } from "../../app/feature.ts";
import { FEATURE_ROUTES, FEATURES } from "../../app/features.ts";

export const ROOT = resolve(import.meta.dirname, "../..");

/** The lists of the features, and the entry, which exports what the platform finds by name. No other file of the core names one. */
export const LISTS = [
  "app/features.ts",
  "app/features.server.ts",
  "app/features.ui.tsx",
  "app/features.header.tsx",
  "app/features.login.tsx",
  "app/entry.worker.ts",
];

/** A feature that can be taken out, and what belongs to it. Paths are below the project's root. */
export type KnownFeature = {
  name: string;
  needs: readonly string[];
  facts: FeatureFacts;
  routes: readonly FeatureRoute[];
  folder: string;
  /** Files of texts, of all languages. */
  texts: string[];
  migrations: string[];
};

export function listFeatures(): KnownFeature[] {
  const routes: Partial<Record<string, readonly FeatureRoute[]>> = FEATURE_ROUTES;
  return FEATURES.map((facts: FeatureFacts) => ({
    name: facts.name,
    needs: facts.needs ?? [],
    facts,
    routes: routes[facts.name] ?? [],
    folder: `app/features/${facts.name}`,
    texts: textsOf(facts.name),
    migrations: globSync(`migrations/[0-9]*_${facts.name.replaceAll("-", "_")}.sql`, { cwd: ROOT }),
  }));
}

/** Returns a feature and those that need it, the ones that need most first. */
export function withDependents(name: string, features: readonly KnownFeature[]): KnownFeature[] {
  const dependents = features.filter(({ needs }) => needs.includes(name));
  const all = dependents.flatMap((one) => withDependents(one.name, features));
  return [...new Set([...all, ...features.filter((one) => one.name === name)])];
}

/** The files of texts whose types the facts name. */
function textsOf(name: string): string[] {
  const file = join(ROOT, `app/features/${name}/feature.ts`);
  const source = existsSync(file) ? readFileSync(file, "utf8") : "";
  const namespaces = [...source.matchAll(/locales\/en\/([\w-]+)\.json/g)].map(([, found]) => found);
  return namespaces.flatMap((namespace) => globSync(`locales/*/${namespace}.json`, { cwd: ROOT }));
}
