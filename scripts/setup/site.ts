import { setTimeout } from "node:timers/promises";
import { readVersion } from "../build.ts";
import { StepError } from "./step.ts";

const PAUSE_MS = 2000;
const REQUEST_TIMEOUT_MS = 10_000;
/** A new domain waits for its certificate: minutes, seldom more. */
const DEFAULT_LIMIT_SECONDS = 300;

/** Where the site answers. SITE_URL names another URL for the same site, such as a tunnel or a rehearsal. */
function urlOf(host: string) {
  return process.env.SITE_URL || `https://${host}`;
}

/**
 * Refuses a domain on which another site answers: wrangler would replace its DNS record without asking. An error of the
 * server, which a domain without a site gives at Cloudflare, counts as free.
 */
export async function checkDomainIsFree(host: string): Promise<string> {
  const health = await ask(`${urlOf(host)}/health`).catch(() => undefined);
  if (!health || health.status >= 500) return "free";
  if (health.headers.has("x-gatehouse-version")) return "runs Gatehouse already";
  throw new StepError(
    `Another site answers at ${host}.`,
    "Choose another domain: --host. To replace that site: --replace-host",
  );
}

/** True when the site runs the build of this folder and reaches its database. */
export async function isServing(host: string): Promise<boolean> {
  return (await askSite(host)) === undefined;
}

/**
 * Waits until the site runs the build of this folder and reaches its database. READY_TIMEOUT sets
 * the limit in seconds.
 */
export async function waitUntilServing(host: string): Promise<string> {
  const seconds = Number(process.env.READY_TIMEOUT || DEFAULT_LIMIT_SECONDS);
  const end = Date.now() + seconds * 1000;
  let problem = await askSite(host);
  while (problem && Date.now() < end) {
    await setTimeout(Math.min(PAUSE_MS, seconds * 1000));
    problem = await askSite(host);
  }
  if (!problem) return `${urlOf(host)} serves ${readVersion().version}`;
  throw new StepError(
    `${problem} after ${seconds} s`,
    `Look at ${urlOf(host)}/ready and at the log (npx wrangler tail). A new domain may need some minutes for its certificate.`,
  );
}

/** Returns what is wrong with the site; undefined when nothing is. */
async function askSite(host: string): Promise<string | undefined> {
  try {
    const health = await ask(`${urlOf(host)}/health`);
    const { version } = readVersion();
    const served = health.headers.get("x-gatehouse-version");
    if (health.ok && served !== version) return `/health says ${served}, not ${version}`;
    const ready = await ask(`${urlOf(host)}/ready`);
    return ready.ok ? undefined : `/ready answers ${ready.status}: ${await shortTextOf(ready)}`;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return `${urlOf(host)} does not answer (${cause instanceof Error ? cause.message : cause})`;
  }
}

function ask(url: string) {
  return fetch(url, { redirect: "manual", signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
}

async function shortTextOf(response: Response) {
  const text = (await response.text()).replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  return text.trim().slice(0, 300);
}
