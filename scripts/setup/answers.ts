import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { SERVER_FEATURES } from "../../app/features.server.ts";
import { fail } from "../terminal.ts";
import { checkLocation, LOCATIONS } from "./placement.ts";
import { domainOf } from "./sender.ts";
import { isOnWorkersDev, type Site } from "./toml.ts";

/** What setup needs to know. */
export type Answers = {
  name: string;
  /** Undefined for a trial, whose host Cloudflare names. */
  host: string | undefined;
  /** Fills an empty database with sample data and shows its codes, so that no mail is needed. */
  isDemo: boolean;
  sender: string;
  admins: string;
  plan: Site["plan"];
  /** Where a new database is; undefined leaves it to Cloudflare. */
  location: string | undefined;
  /** The region near which the worker runs; undefined leaves it beside each user. */
  region: string | undefined;
  /** With a bucket for pictures. */
  hasBucket: boolean;
  /** Whether another site at the host may be replaced. */
  mayReplaceHost: boolean;
  /** Undefined when the key is set already, or is still to be given. */
  resendKey: string | undefined;
};

/** The options of `npm run setup` that answer a question. */
export type Given = {
  name?: string;
  host?: string;
  sender?: string;
  admin?: string;
  plan?: string;
  location?: string;
  placement?: boolean;
  "resend-key"?: string;
  bucket?: boolean;
  "replace-host"?: boolean;
};

type Question = {
  flag: "name" | "host" | "sender" | "admin" | "plan" | "location" | "resend-key";
  text: string;
  fallback?: string;
  isSecret?: boolean;
  isOptional?: boolean;
  /** Returns what is wrong with an answer, and the cure. */
  check: (answer: string) => string | undefined;
};

/** Resend's sender for tries. It reaches only the mailbox with which the Resend account was opened. */
const TEST_SENDER = "Gatehouse <onboarding@resend.dev>";

const NAME: Question = { flag: "name", text: "Name of the worker", check: checkName };
const ADMIN: Question = { flag: "admin", text: "E-mail of the first admin", check: checkAdmins };
const PLAN: Question = {
  flag: "plan",
  text: "Plan of Cloudflare Workers: paid (5 $ a month, recommended) or free",
  check: checkPlan,
};

const LOCATION: Question = {
  flag: "location",
  text: `Location of the database: ${Object.keys(LOCATIONS).join(", ")} (empty: Cloudflare chooses, near you)`,
  isOptional: true,
  check: checkLocation,
};

/**
 * Collects the answers: from options, then from wrangler.toml, and asks for the rest when there is a terminal. Ends the
 * command with the cure when an answer is wrong or missing.
 */
export async function collectAnswers(given: Given, site: Site, mayAsk: boolean): Promise<Answers> {
  const key = given["resend-key"] ?? process.env.RESEND_API_KEY;
  const read: Record<Question["flag"], string> = {
    name: await answer(given.name, mayAsk, { ...NAME, fallback: site.name }),
    host: await answer(given.host, mayAsk, {
      flag: "host",
      text: "Domain of the site, such as app.example.com",
      fallback: isTrial(site) ? undefined : site.host,
      check: checkHost,
    }),
    sender: await answer(given.sender, mayAsk, {
      flag: "sender",
      text: "Sender of the mails, such as Example <no-reply@example.com>",
      fallback: site.sender,
      check: checkSenderForm,
    }),
    admin: await answer(given.admin, mayAsk, { ...ADMIN, fallback: site.admins }),
    plan: await answer(given.plan, mayAsk, { ...PLAN, fallback: site.plan }),
    location: await answer(given.location, mayAsk, LOCATION),
    "resend-key": await answer(key, mayAsk, {
      flag: "resend-key",
      text: "Resend API key (empty: the key that is set stays)",
      isSecret: true,
      isOptional: true,
      check: checkKey,
    }),
  };
  const isBound = site.bucketName !== undefined;
  const pictures = "Pictures of users and logos, in an R2 bucket";
  const hasBucket = given.bucket ?? (mayAsk ? await confirm(pictures, isBound) : isBound);
  return {
    name: read.name,
    host: read.host.toLowerCase(),
    // A trial ends with its domain; a demonstration with a domain stays one.
    isDemo: site.isDemo && !isTrial(site),
    sender: read.sender,
    admins: read.admin,
    plan: read.plan === "paid" ? "paid" : "free",
    location: read.location || undefined,
    region: await regionOf(given.placement, read.location, site, mayAsk),
    hasBucket,
    mayReplaceHost: given["replace-host"] ?? false,
    resendKey: read["resend-key"] || undefined,
  };
}

/**
 * Collects the answers for a trial on workers.dev. Everything has a default: without a key of
 * Resend it is a demonstration, and with one the first admin is the owner of the Cloudflare
 * account, which `findOwner` returns.
 */
export async function collectTrialAnswers(
  given: Given,
  site: Site,
  mayAsk: boolean,
  findOwner: () => Promise<string | undefined>,
): Promise<Answers> {
  if (site.host && !isTrial(site)) {
    fail(`The site runs at https://${site.host}: a trial is for a site without a domain.`);
  }
  const key = given["resend-key"] ?? process.env.RESEND_API_KEY;
  // A trial that sends mail already has its key.
  const isDemo = !key && (site.isDemo || !isTrial(site));
  if (isDemo && !SERVER_FEATURES.demonstration) {
    fail("No feature makes a demonstration, so a trial needs a key of Resend: RESEND_API_KEY");
  }
  return {
    name: await answer(given.name, false, { ...NAME, fallback: site.name }),
    host: undefined,
    isDemo,
    sender: TEST_SENDER,
    admins: isDemo
      ? (site.admins ?? "")
      : await answer(given.admin ?? site.admins ?? (await findOwner()), mayAsk, ADMIN),
    plan:
      (await answer(given.plan, false, { ...PLAN, fallback: site.plan })) === "paid"
        ? "paid"
        : "free",
    location: undefined,
    region: site.region,
    hasBucket: given.bucket ?? site.bucketName !== undefined,
    mayReplaceHost: true,
    resendKey: isDemo ? undefined : key,
  };
}

/** Returns the region near which the worker runs: off unless the operator chooses it, and kept afterwards. */
async function regionOf(
  given: boolean | undefined,
  location: string,
  site: Site,
  mayAsk: boolean,
): Promise<string | undefined> {
  const near = LOCATIONS[location] ?? site.region;
  if (given === undefined && (!mayAsk || !near)) return site.region;
  if (given && !near) fail("--placement: name the location of the database too: --location");
  const text = "Run the worker beside the database, not beside each user (docs/scale.md)";
  const isPlaced = given ?? (await confirm(text, site.region !== undefined));
  return isPlaced ? near : undefined;
}

/** True for a site that `npm run setup -- --trial` has made. */
function isTrial({ host }: Site): boolean {
  return host !== undefined && isOnWorkersDev(host);
}

async function answer(given: string | undefined, mayAsk: boolean, question: Question) {
  if (given !== undefined || !mayAsk) {
    const value = (given ?? question.fallback ?? "").trim();
    const problem = problemOf(value, question);
    if (problem) fail(`--${question.flag}: ${problem}`);
    return value;
  }
  for (;;) {
    const shown = question.fallback ? `${question.text} [${question.fallback}]` : question.text;
    const value = (await ask(`${shown}: `, question.isSecret)) || question.fallback || "";
    const problem = problemOf(value, question);
    if (!problem) return value;
    console.log(`  ${problem}`);
  }
}

function problemOf(value: string, { check, isOptional, text }: Question) {
  if (value === "") return isOptional ? undefined : `is missing. ${text}.`;
  return check(value);
}

/** Asks a question with the answers yes and no. */
async function confirm(text: string, isYes: boolean) {
  const fallback = isYes ? "y" : "n";
  const value = await ask(`${text} (y/n) [${fallback}]: `);
  return (value || fallback).toLowerCase().startsWith("y");
}

/** Asks one question. A secret is not shown while it is typed. */
async function ask(text: string, isSecret = false): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (isSecret) process.stdout.write(text);
  const terminal = createInterface({
    input: process.stdin,
    output: isSecret ? silent : process.stdout,
    terminal: true,
  });
  terminal.on("SIGINT", () => process.exit(130));
  const value = await terminal.question(isSecret ? "" : text);
  terminal.close();
  if (isSecret) process.stdout.write("\n");
  return value.trim();
}

function checkName(name: string) {
  if (/^[a-z0-9](?:[a-z0-9-]{0,52}[a-z0-9])?$/.test(name)) return undefined;
  return `"${name}" is no name of a worker. Use small letters, digits and hyphens, 54 at most.`;
}

/** A host of the operator's own domain. Cloudflare serves it with a certificate, so it has no scheme, port or path. */
function checkHost(host: string) {
  const isDomain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i.test(
    host,
  );
  if (isDomain && !/\.(?:workers\.dev|localhost|local)$/i.test(host)) return undefined;
  return `"${host}" is no domain of your own. Give one such as app.example.com, without https:// and without a path.`;
}

function checkSenderForm(sender: string) {
  if (domainOf(sender)) return undefined;
  return `"${sender}" is no sender. Give one such as no-reply@example.com or Example <no-reply@example.com>.`;
}

function checkAdmins(admins: string) {
  const wrong = admins
    .split(",")
    .find((email) => !/^\s*[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+\s*$/.test(email));
  if (wrong === undefined) return undefined;
  return `"${wrong.trim()}" is no e-mail. Give one such as you@example.com; several with commas between.`;
}

function checkPlan(plan: string) {
  return plan === "free" || plan === "paid" ? undefined : `"${plan}" is neither free nor paid.`;
}

function checkKey(key: string) {
  return /^\S+$/.test(key) ? undefined : "The key has a space in it. Copy it again.";
}
