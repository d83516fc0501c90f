// npm test: every check, in order. npm test -- unit e2e: only these stages. npm run check: the
// quick stages. npm run test:full: also the commands of operators, the mutation check and each
// feature taken out, and all stages with more rounds and languages. The last line counts what
// passed and what failed.
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { ensureChromium } from "./chromium.ts";
import { ENGINE_NAMES, ensureEngines, LABELS } from "./engines.ts";
import { checkMutations } from "./mutations.ts";
import { run } from "./run.ts";
import { fail, formatDuration } from "./terminal.ts";

type Counts = {
  passed: number;
  failed: number;
  /** File and name of each failed test, which the last lines repeat. */
  failures?: string[];
};

type Command = [command: string, ...args: string[]];

/** Stages that run side by side. Each counts as one test. */
const CHECKS: Record<string, Command> = {
  lint: ["biome", "ci", "."],
  knip: ["knip"],
  types: ["tsc", "--noEmit"],
  build: ["node", "scripts/build.ts"],
};

const STAGES: Record<string, () => Promise<Counts>> = {
  unit: () => runVitest("unit"),
  integration: () => runVitest("integration"),
  e2e: runPlaywright,
  engines: runEngines,
  removal: () => runVitest("removal"),
  operations: () => runVitest("operations"),
  mutations: checkMutations,
};

/**
 * The tests send nothing to other machines. Miniflare hands these certificates to each worker,
 * which takes a fifth of its start where they are 140.
 */
const WITHOUT_CERTIFICATES = { NODE_EXTRA_CA_CERTS: undefined };

/** Stages that test the build. */
const NEED_BUILD = ["integration", "e2e", "engines", "operations"];
/**
 * Each command of an operator takes seconds, and only changes of `scripts/` and `migrations/` can
 * break it. The mutation check makes a build for each guard that it takes out.
 */
const ONLY_FULL = ["operations", "mutations"];

const reports = mkdtempSync(join(tmpdir(), "gatehouse-test-"));
const results: string[] = [];
const failures: string[] = [];
const total: Counts = { passed: 0, failed: 0 };

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { full: { type: "boolean", default: false } },
});
// tests/support/thoroughness.ts reads it.
if (values.full) process.env.GATEHOUSE_TESTS = "full";

const names = selectStages(positionals);
// They write nothing before they end, so the unit tests run beside them.
const checks = runChecks(names.filter((name) => name in CHECKS));
for (const [name, stage] of Object.entries(STAGES)) {
  if (!names.includes(name)) continue;
  if (NEED_BUILD.includes(name)) await checks;
  console.log(`\n── ${name}`);
  const started = performance.now();
  note(name, await stage(), performance.now() - started);
}
await checks;
if (failures.length > 0) console.log(`\nFailed:\n  ${failures.join("\n  ")}`);
console.log(`\n${results.join("\n")}\ntotal: ${describe(total)}`);
process.exitCode = total.failed === 0 ? 0 : 1;

function selectStages(names: string[]) {
  const known = [...Object.keys(CHECKS), ...Object.keys(STAGES)];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown) fail(`There is no stage "${unknown}". Choose from: ${known.join(", ")}`);
  if (names.length === 0) return known.filter((name) => values.full || !ONLY_FULL.includes(name));
  const needsBuild = names.some((name) => NEED_BUILD.includes(name));
  return known.filter((name) => names.includes(name) || (name === "build" && needsBuild));
}

/** Adds a stage's counts to the last lines. */
function note(name: string, counts: Counts, duration: number) {
  results.push(`  ${name.padEnd(12)} ${describe(counts).padEnd(24)} ${formatDuration(duration)}`);
  total.passed += counts.passed;
  total.failed += counts.failed;
  failures.push(...(counts.failures ?? []));
}

async function runChecks(chosen: string[]) {
  if (chosen.length === 0) return;
  console.log(`\n── ${chosen.join(", ")}`);
  // A fresh clone lacks the routes' types, which two of the checks read.
  await run("react-router", ["typegen"]);
  const checks = Object.entries(CHECKS)
    .filter(([name]) => chosen.includes(name))
    .map(async ([name, command]) => ({ name, ...(await runCheck(command)) }));
  for (const { name, counts, output, duration } of await Promise.all(checks)) {
    if (counts.failed > 0) console.log(`\n${name}:\n${output}`);
    note(name, counts, duration);
  }
}

async function runCheck([command, ...args]: Command) {
  const started = performance.now();
  const { code, output } = await run(command, args, { quiet: true });
  const counts = code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  return { counts, output, duration: performance.now() - started };
}

/** The parts of vitest's JSON report that are read. */
type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
};

/** `isBeside` shows the output when the project has ended, because another one writes too. */
async function runVitest(project: string, { isBeside = false } = {}): Promise<Counts> {
  const file = join(reports, `${project}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const { code, output } = await run("vitest", ["run", "--project", project, ...reporters], {
    env: WITHOUT_CERTIFICATES,
    quiet: isBeside,
  });
  if (isBeside) console.log(output.trim());
  const report = readReport<VitestReport>(file);
  if (!report) return { passed: 0, failed: 1 };
  // A file that cannot be loaded, or whose hook fails, has failed without a failed test.
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );
  const failures = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "failed")
      .map((test) => `${relative(".", name)} › ${test.fullName}: ${firstLine(test)}`),
  );
  return withExitCode(code, {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    failures: [...failures, ...brokenFiles.map(({ name }) => relative(".", name))],
  });
}

function firstLine({ failureMessages: [message = ""] }: { failureMessages: string[] }): string {
  return message.split("\n", 1)[0] ?? "";
}

type PlaywrightSuite = {
  specs: { file: string; title: string; ok: boolean }[];
  suites?: PlaywrightSuite[];
};

/** The parts of Playwright's JSON report that are read. */
type PlaywrightReport = {
  stats: { expected: number; unexpected: number };
  suites: PlaywrightSuite[];
};

/**
 * Runs the journeys in each engine, side by side. An engine that is missing has failed where CI says that it must be
 * there.
 */
async function runEngines(): Promise<Counts> {
  const found = await ensureEngines();
  const missing = ENGINE_NAMES.filter((name) => !found.includes(name)).map((name) => LABELS[name]);
  if (missing.length > 0) {
    console.log(`Not found, so the journeys do not run there: ${missing.join(", ")}.`);
    console.log("CONTRIBUTING.md says how to install them.");
  }
  const all = await Promise.all(found.map((name) => runVitest(name, { isBeside: true })));
  const failures = found.flatMap((name, index) =>
    (all[index]?.failures ?? []).map((failure) => `${LABELS[name]} › ${failure}`),
  );
  const lacking = process.env.CI ? missing : [];
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, lacking.length),
    failures: [...failures, ...lacking.map((label) => `${label} is not installed`)],
  };
}

async function runPlaywright(): Promise<Counts> {
  const chromium = await ensureChromium();
  if (!chromium) {
    console.error("The e2e tests need Chromium: install it and name it in CHROMIUM_PATH.");
    return { passed: 0, failed: 1 };
  }
  const file = join(reports, "e2e.json");
  const { code } = await run("playwright", ["test", "--reporter=list,json"], {
    env: { ...WITHOUT_CERTIFICATES, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  });
  const report = readReport<PlaywrightReport>(file);
  if (!report) return { passed: 0, failed: 1 };
  const { expected, unexpected } = report.stats;
  const failures = report.suites.flatMap(failedSpecs);
  return withExitCode(code, { passed: expected, failed: unexpected, failures });
}

function failedSpecs({ specs, suites = [] }: PlaywrightSuite): string[] {
  const failed = specs.filter(({ ok }) => !ok).map(({ file, title }) => `${file} › ${title}`);
  return [...failed, ...suites.flatMap(failedSpecs)];
}

/** Reads a report; undefined when the runner crashed before it wrote one. */
function readReport<Report>(file: string): Report | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/** A runner that failed although every test passed counts as one failure. */
function withExitCode(code: number, counts: Counts): Counts {
  return { ...counts, failed: code !== 0 && counts.failed === 0 ? 1 : counts.failed };
}

function describe({ passed, failed }: Counts): string {
  return `${passed} passed, ${failed} failed`;
}
