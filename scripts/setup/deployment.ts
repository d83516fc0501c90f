import { build, describeBuild } from "../build.ts";
import { isServing, waitUntilServing } from "./site.ts";
import type { Step } from "./step.ts";
import type { Site } from "./toml.ts";
import { askWrangler, WranglerError, wrangler } from "./wrangler.ts";

/** Cloudflare's code for a worker that does not exist. */
const NO_WORKER = 10007;

/** The version that all requests reach now. Undefined before the first deployment. */
export async function findDeployedVersion(environment: string): Promise<string | undefined> {
  try {
    const status = await askWrangler<{ versions: { version_id: string }[] }>(environment, [
      "deployments",
      "status",
      "--json",
    ]);
    return status.versions[0]?.version_id;
  } catch (error) {
    if (error instanceof WranglerError && error.code === NO_WORKER) return undefined;
    throw error;
  }
}

/**
 * Returns the steps that bring this folder to a site: build, then migrate, so that a build that fails changes nothing,
 * then deploy and wait. `getSite` is asked when a step runs, because earlier steps fill in wrangler.toml.
 */
export function deploymentSteps(environment: string, getSite: () => Site): Step[] {
  return [
    {
      title: "Build the worker and its pages",
      cure: "The lines above name the file. Compare with a clean clone: git status.",
      async run() {
        const result = await build();
        if (!result.ok) throw new Error(result.output);
        return describeBuild(result);
      },
    },
    {
      title: "Migrate the database",
      cure: "A migration that fails is undone, and the site still runs its previous version.",
      async run() {
        const printed = await wrangler(environment, [
          "d1",
          "migrations",
          "apply",
          "DB",
          "--remote",
        ]);
        const count = new Set(printed.match(/\d{4}_\w+\.sql/g)).size;
        return count === 0 ? "up to date" : `${count} migrations applied`;
      },
    },
    {
      title: "Deploy the worker",
      cure: "The lines above are Cloudflare's answer.",
      async isDone() {
        const { host } = getSite();
        return host !== undefined && (await isServing(host));
      },
      async run() {
        const printed = await wrangler(environment, ["deploy"]);
        const version = /Current Version ID: (\S+)/.exec(printed)?.[1];
        return version ? `version ${version}` : "deployed";
      },
    },
    {
      title: "Wait until the site is ready",
      cure: "Look at the log: npx wrangler tail.",
      async run() {
        const { host } = getSite();
        if (!host) return "not asked: wrangler.toml names no domain; npm run setup gives it one";
        return waitUntilServing(host);
      },
    },
  ];
}
