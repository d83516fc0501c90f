// npm run setup: from a fresh clone and a Cloudflare account to a running site. Running it again
// goes on where it stopped.
import { spawnSync } from "node:child_process";
import { collectAnswers, collectTrialAnswers } from "./setup/answers.ts";
import { FREE_PLAN_NOTE } from "./setup/plan.ts";
import { runSteps } from "./setup/step.ts";
import { setupSteps } from "./setup/steps.ts";
import { readSite } from "./setup/toml.ts";
import { askWrangler } from "./setup/wrangler.ts";
import { fail, formatDuration, readOptions } from "./terminal.ts";

const USAGE = `npm run setup -- [options]
  --trial                       without a domain and without questions, on workers.dev: a demonstration, or with a Resend key a
                                site that mails its codes to your mailbox. Later npm run setup moves it to a domain
  --host app.example.com        domain of the site
  --sender no-reply@example.com sender of the mails, verified at Resend
  --admin you@example.com       e-mail of the first admin
  --resend-key re_…             or RESEND_API_KEY
  --name gatehouse              name of the worker and its database
  --plan free                   or paid: the plan of Cloudflare Workers
  --location weur               where a new database is: weur, eeur, wnam, enam, apac or oc; else near you
  --placement, --no-placement   run the worker beside that location (docs/scale.md says when), or beside each user
  --bucket, --no-bucket         with or without pictures of users
  --replace-host                replace another site at that domain
  --staging                     set up the environment "staging"
  --yes                         ask nothing: options, then wrangler.toml
  --dry-run                     print the steps and change nothing
Without a browser set CLOUDFLARE_API_TOKEN, and CLOUDFLARE_ACCOUNT_ID when it reaches several accounts.`;

const started = performance.now();
const options = readOptions(
  {
    host: { type: "string" },
    sender: { type: "string" },
    admin: { type: "string" },
    "resend-key": { type: "string" },
    name: { type: "string" },
    plan: { type: "string" },
    location: { type: "string" },
    placement: { type: "boolean" },
    "no-placement": { type: "boolean" },
    bucket: { type: "boolean" },
    "no-bucket": { type: "boolean" },
    "replace-host": { type: "boolean" },
    staging: { type: "boolean" },
    trial: { type: "boolean" },
    yes: { type: "boolean" },
    "dry-run": { type: "boolean" },
    help: { type: "boolean" },
  },
  USAGE,
);
if (options.help) {
  console.log(USAGE);
  process.exit(0);
}

const environment = options.staging ? "staging" : "";
const site = findSite() ?? fail("wrangler.toml has no [env.staging]. Take it from git.");
const hasTerminal = Boolean(process.stdin.isTTY && process.stdout.isTTY);
const mayAsk = hasTerminal && !options.yes;
const bucket = options["no-bucket"] ? false : options.bucket;
const placement = options["no-placement"] ? false : options.placement;
const given = { ...options, bucket, placement };
const isTrial = options.trial ?? false;
if (isTrial && mayAsk && !options["dry-run"]) signInByBrowser();
const answers = isTrial
  ? await collectTrialAnswers(given, site, mayAsk, findOwner)
  : await collectAnswers(given, site, mayAsk);

if (answers.plan === "free" && !isTrial) console.log(FREE_PLAN_NOTE);
if (!isTrial && mayAsk && !options["dry-run"]) signInByBrowser();
const steps = setupSteps(environment, answers);
const again = "Then run the same command again. It keeps what is done.";
const isDone = await runSteps(steps, again, options["dry-run"]);
if (!isDone) process.exit(1);
if (options["dry-run"]) console.log("\n  Nothing was changed.");
else printWelcome();

/**
 * Returns what wrangler.toml says. Staging takes production's answers where it has none; its domain
 * and key are its own.
 */
function findSite() {
  const own = readSite(environment);
  const production = readSite("");
  if (!own || !production || environment === "") return own;
  return {
    ...own,
    sender: own.sender ?? production.sender,
    admins: own.admins ?? production.admins,
    // A plan is the account's.
    plan: production.plan,
    region: own.region ?? production.region,
  };
}

/** Opens Cloudflare's sign-in page in the browser when there is neither a token nor an earlier sign-in. */
function signInByBrowser() {
  if (process.env.CLOUDFLARE_API_TOKEN) return;
  const { stdout } = spawnSync("wrangler", ["whoami", "--json"], {
    env: { ...process.env, WRANGLER_LOG: "log" },
    encoding: "utf8",
  });
  if (!/"loggedIn":\s*false/.test(stdout)) return;
  spawnSync("wrangler", ["login"], { stdio: "inherit" });
}

/** Returns the e-mail of the Cloudflare account's owner, as far as the token may know it. */
async function findOwner(): Promise<string | undefined> {
  const found = await askWrangler<{ email?: string }>(environment, ["whoami", "--json"]).catch(
    () => undefined,
  );
  return found?.email;
}

function printWelcome() {
  const url = `https://${readSite(environment)?.host}`;
  const [admin = ""] = answers.admins.split(",");
  const signIn = answers.isDemo
    ? "choose a sample account; its code is on the screen"
    : `as ${admin.trim()}; the first sign-in makes you an admin`;
  const lines = [
    ["Sign in", `${url}/login ${signIn}`],
    ...(isTrial && answers.isDemo
      ? [
          [
            "Save data",
            "RESEND_API_KEY=re_… npm run setup -- --trial makes it a site for your own mailbox",
          ],
        ]
      : []),
    ...(isTrial
      ? [
          [
            "Domain",
            `npm run setup${environment && ` -- --${environment}`} ${answers.isDemo ? "makes a site with an empty database there" : "moves it there and keeps its data"}`,
          ],
        ]
      : []),
    ["Keep", "commit wrangler.toml: it names your database, and holds no secret"],
    ["Later", `npm run deploy${environment && ` -- --env ${environment}`}`],
  ];
  console.log(`
  ${url} is running, after ${formatDuration(performance.now() - started)}.

${lines.map(([name = "", text]) => `  ${name.padEnd(10)}${text}`).join("\n")}
`);
}
