// npm run deploy [-- --env staging]: builds, migrates, deploys, and asks the site whether it is ready.
import { spawnSync } from "node:child_process";
import { deploymentSteps, findDeployedVersion } from "./setup/deployment.ts";
import { runSteps } from "./setup/step.ts";
import { readSite } from "./setup/toml.ts";
import { fail, readOptions } from "./terminal.ts";

const { env: environment = "" } = readOptions(
  { env: { type: "string" } },
  "npm run deploy -- [--env staging]",
);
const option = environment && ` --env ${environment}`;
const readCurrentSite = () =>
  readSite(environment) ?? fail(`wrangler.toml has no [env.${environment}].`);

const site = readCurrentSite();
const setup = `npm run setup${environment === "staging" ? " -- --staging" : ""}`;
if (!site.databaseId) fail(`wrangler.toml names no database yet. Run ${setup} first.`);

warnAboutChanges();
const startedAt = new Date();
const previous = await findDeployedVersion(environment).catch((error) =>
  fail(`${error.message}\n\n  Is CLOUDFLARE_API_TOKEN right? Or sign in: npx wrangler login`),
);
const again = `Then run again: npm run deploy${option && ` --${option}`}`;
if (!(await runSteps(deploymentSteps(environment, readCurrentSite), again))) {
  const now = await findDeployedVersion(environment).catch(() => undefined);
  if (now !== previous) printRollback();
  process.exit(1);
}

/** Warns, because a deployment from a changed tree cannot be made again from its commit. */
function warnAboutChanges() {
  const status = spawnSync("git", ["status", "--porcelain"], { encoding: "utf8" });
  const files = status.stdout?.trim().split("\n").filter(Boolean) ?? [];
  if (files.length === 0) return;
  console.warn(
    `  Warning: ${files.length} files differ from the commit, first ${files[0]?.trim()}.`,
  );
}

function printRollback() {
  const database = `npx wrangler d1 time-travel restore DB --timestamp=${startedAt.toISOString()}${option}`;
  console.error(
    previous
      ? `
  The new version is live. Back to the previous one:

    npx wrangler rollback ${previous} --yes --message "not ready"${option}

  The migrations stay applied. They only add, so the previous version works with them. Only when data itself is damaged, restore
  the database too; everything written since then is lost:

    ${database}
`
      : `
  This was the first deployment, so there is no version to go back to.
`,
  );
}
