import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { LISTS, listFeatures, withDependents } from "../../scripts/features/known.ts";
import { chooseRemovals, readDiff } from "../../scripts/features/removals.ts";
import { PERMISSION_TYPES } from "../../scripts/schema/permission-types.ts";
import { type Command, commitAll, expectSuccess, gitIn } from "../support/copy-commands.ts";
import { addLanguage } from "../support/made-up-language.ts";
import { copyProject } from "../support/project-copy.ts";
import { isFull } from "../support/thoroughness.ts";

// Takes features out of a copy of the project, and opens every screen of what is left. The gate
// does it for the features that the diff touches, together, and for one more, chosen by the commit;
// `npm run test:full` for each, and for all together; GATEHOUSE_REMOVE="teams sharing,repositories"
// npm test -- removal for those. The first copy also gets a made-up language, which so needs no copy
// of its own.

const FEATURES = listFeatures();

const REMOVALS = chooseRemovals({
  features: FEATURES,
  asked: process.env.GATEHOUSE_REMOVE,
  isFull,
  ...readDiff(),
});

/** Where nothing can be taken out, a copy of everything gets the language. */
const COPIES = REMOVALS.length > 0 ? REMOVALS : [[]];

/** What the knife writes anew, beside the lists. */
const WRITTEN = [
  ...LISTS,
  "docs/schema.sql",
  PERMISSION_TYPES,
  "package.json",
  "package-lock.json",
];

/** What must hold without the features. The last builds what the tests below run. */
const CHECKS: Command[] = [
  ["biome", "ci", "."],
  ["react-router", "typegen"],
  ["tsc", "--noEmit"],
  ["vitest", "run", "--project", "unit"],
  ["node", "scripts/build.ts"],
];

const INTEGRATION: Command = ["vitest", "run", "--project", "integration"];

/** Opens every screen in each language, as everybody who may and who may not. */
const SCREENS = ["screens", "untranslated", "access", "roles", "sign-in"].map(
  (name) => `tests/integration/${name}.test.ts`,
);

/** Everything that the core's own tests show. */
const OWN_TESTS: Command[] = [INTEGRATION, ["playwright", "test"]];

console.log(`Taken out: ${REMOVALS.map((names) => names.join(" and ")).join("; ") || "nothing"}`);

test.each(COPIES.map((names, index) => ({ names, hasNewLanguage: index === 0 })))(
  "without $names, the rest passes its checks and every screen opens (with a made-up language: $hasNewLanguage)",
  async ({ names, hasNewLanguage }) => {
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-without-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await copyProject(folder);
    commitAll(folder);

    const gone = new Set(names.flatMap((name) => withDependents(name, FEATURES)));
    for (const name of names) {
      // One that needs another went with it.
      if (!existsSync(join(folder, `app/features/${name}`))) continue;
      await expectSuccess(folder, "node", "scripts/remove.ts", name, "--with-dependents");
    }

    const belongs = [...gone].flatMap(({ folder: own, texts, migrations }) => [
      own,
      ...texts,
      ...migrations,
    ]);
    const changed = gitIn(folder, "status", "--porcelain", "--untracked-files=all")
      .split("\n")
      .map((line) => line.slice(3))
      .filter((file) => file !== "");
    const others = changed.filter(
      (file) => !belongs.some((own) => file === own || file.startsWith(`${own}/`)),
    );
    expect(others.filter((file) => !WRITTEN.includes(file))).toEqual([]);
    if (hasNewLanguage) addLanguage(folder);
    for (const check of CHECKS) await expectSuccess(folder, ...check);
    const isCoreAlone = gone.size === FEATURES.length;
    const tests: Command[] = isFull && isCoreAlone ? OWN_TESTS : [[...INTEGRATION, ...SCREENS]];
    for (const command of tests) await expectSuccess(folder, ...command);
  },
);

// A file without a test would fail.
test("something is taken out where there is a feature", () => {
  expect(REMOVALS.length > 0).toBe(FEATURES.length > 0);
});
