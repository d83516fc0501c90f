import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";
import { Environment } from "../app/features/environment/config.ts";
import { FEATURES } from "../app/features.ts";
import { APP_TESTS } from "./support/app-tests.ts";

const ROOT = resolve(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const { scripts, cloudflare } = JSON.parse(read("package.json"));
const config = join(ROOT, "wrangler.toml");
const production = readConfig({ config }, { hideWarnings: true });
const staging = readConfig({ config, env: "staging" }, { hideWarnings: true });

test("staging shares nothing with production but code and limits", () => {
  const ownOf = ({ name, d1_databases, r2_buckets, routes }: typeof production) => ({
    names: [name, d1_databases[0]?.database_name, r2_buckets[0]?.bucket_name],
    bindings: [...d1_databases, ...r2_buckets].map(({ binding }) => binding),
    routes,
  });
  const [own, shared] = [ownOf(staging), ownOf(production)];

  expect(own.bindings).toEqual(shared.bindings);
  expect(own.names.filter((name) => shared.names.includes(name))).toEqual([]);
  expect(own.routes).toEqual([]);
  expect(staging.vars.ENVIRONMENT_NAME).toBe("staging");
  expect(Object.keys(Environment.shape)).toEqual(expect.arrayContaining(Object.keys(staging.vars)));
  expect(staging.main).toBe(production.main);
});

test("a fresh clone can be deployed as it is, on the free plan, and has no previews", () => {
  for (const { workers_dev, preview_urls, limits, d1_databases } of [production, staging]) {
    // Without a value and without routes the worker is on workers.dev.
    expect(workers_dev).toBeUndefined();
    expect(preview_urls).toBe(false);
    expect(limits).toBeUndefined();
    expect(d1_databases[0]?.database_id).toBeUndefined();
  }
});

test("the pair that hangs every request is refused: public fetch and sessions of D1", () => {
  for (const { compatibility_flags } of [production, staging]) {
    expect(compatibility_flags).toContain("global_fetch_strictly_public");
  }
  const sources = globSync("app/**/*.{ts,tsx}", { cwd: ROOT, exclude: APP_TESTS });
  const withSessions = sources.filter((file) => read(file).includes(".withSession("));

  expect(sources.length).toBeGreaterThan(500);
  expect(withSessions).toEqual([]);
});

test("every script installs the packages first, so it works in a fresh clone", () => {
  for (const command of Object.values<string>(scripts)) {
    expect(command).toMatch(/^node scripts\/bootstrap\.cjs/);
  }
});

const documents = ["README.md", "CONTRIBUTING.md", "AGENTS.md"].concat(
  globSync(["docs/*.md", "app/features/*/docs.md"], { cwd: ROOT }),
);

test("documents name only files that exist", () => {
  const named = documents.flatMap((file) =>
    [...read(file).matchAll(/`((?:app|bench|docs|migrations|scripts|tests)\/[\w./-]+)`/g)].map(
      ([, path = ""]) => path,
    ),
  );
  // NAME and IDEA stand for what the reader chooses.
  const fixed = named.filter((path) => !/[A-Z]{4}/.test(path));

  expect(fixed.length).toBeGreaterThan(100);
  expect(fixed.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("documents of the core name no file of a feature that can be taken out", () => {
  const core = documents.filter((file) => !file.startsWith("app/"));
  const naming = core.flatMap((file) =>
    FEATURES.filter(({ name }) => read(file).includes(`features/${name}/`)).map(
      ({ name }) => `${file} names ${name}`,
    ),
  );

  expect(naming).toEqual([]);
});

test("workflows and documents name only scripts that exist", () => {
  const files = [...documents, ...globSync(".github/workflows/*.yml", { cwd: ROOT })];
  const named = files.flatMap((file) =>
    [...read(file).matchAll(/npm run (?:-s |--silent )?([\w:]+)/g)].map(([, script]) => script),
  );

  expect(files.filter((file) => file.endsWith(".yml")).length).toBe(3);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
});

test("the deploy button describes each binding, and only settings that exist", () => {
  const { bindings } = cloudflare;
  const resources = [...production.d1_databases, ...production.r2_buckets].map(
    ({ binding }) => binding,
  );

  expect(Object.keys(bindings)).toEqual(
    expect.arrayContaining([...resources, "BETTER_AUTH_SECRET", "RESEND_API_KEY"]),
  );
  expect([...resources, ...Object.keys(Environment.shape)]).toEqual(
    expect.arrayContaining(Object.keys(bindings)),
  );
});
