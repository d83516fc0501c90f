import { formatDuration, showProgress } from "../terminal.ts";
import { WranglerError } from "./wrangler.ts";

/** One step of setup or deployment. Running a finished step again changes nothing. */
export type Step = {
  /** What it does, such as "Create the database gatehouse". */
  title: string;
  /** True when there is nothing left to do. */
  isDone?: () => boolean | Promise<boolean>;
  /** Does it and returns the result in a few words. */
  run: () => string | Promise<string>;
  /** What the operator does when it fails. */
  cure: string;
};

/** A failure with a cure of its own. */
export class StepError extends Error {
  override name = "StepError";
  readonly cure: string;

  constructor(message: string, cure: string) {
    super(message);
    this.cure = cure;
  }
}

/** Error codes of Cloudflare's API that have the same cure in every step. */
const CURES: Record<number, string> = {
  9109: "The token is wrong. Make one with the rights that docs/deploy.md names, and set CLOUDFLARE_API_TOKEN.",
  10000:
    "The token is wrong or lacks a right. Make one with the rights that docs/deploy.md names, and set CLOUDFLARE_API_TOKEN.",
  10042: "Switch on R2 in Cloudflare's dashboard (R2 object storage), or go without: --no-bucket.",
  10083:
    "The domain is not on this Cloudflare account. Add it in the dashboard, or choose another host: --host.",
  100328:
    "The account has the free plan, which accepts no CPU limit: --plan free. Or switch to the paid plan in the dashboard.",
};

/**
 * Runs steps in order and prints each. After a failure it prints the reason and the cure, and answers false. With
 * `isDry` it only prints what the steps do.
 */
export async function runSteps(steps: Step[], again: string, isDry = false): Promise<boolean> {
  for (const [index, { title, isDone, run, cure }] of steps.entries()) {
    const label = `  ${String(index + 1).padStart(2)}/${steps.length}  ${title}`;
    if (isDry) {
      console.log(label);
      continue;
    }
    showProgress(`${label} …`);
    const started = performance.now();
    try {
      const result = (await isDone?.()) ? "already done" : await run();
      showProgress("");
      console.log(`${label}: ${result}  (${formatDuration(performance.now() - started)})`);
    } catch (error) {
      showProgress("");
      console.error(
        `${label}: failed\n\n${reasonOf(error)}\n\n  ${cureOf(error, cure)}\n  ${again}`,
      );
      return false;
    }
  }
  return true;
}

function reasonOf(error: unknown) {
  return `    ${error instanceof Error ? error.message : error}`;
}

function cureOf(error: unknown, cure: string) {
  if (error instanceof StepError) return error.cure;
  return (error instanceof WranglerError && error.code && CURES[error.code]) || cure;
}
