// npm run setup: from a fresh clone and a Cloudflare account to a running site. Running it again goes on where it stopped.
import { spawnSync } from "node:child_process";
import { collectAnswers } from "./setup/answers.ts";
import { FREE_PLAN_NOTE } from "./setup/plan.ts";
import { runSteps } from "./setup/step.ts";
import { setupSteps } from "./setup/steps.ts";
import { readSite } from "./setup/toml.ts";
import { fail, formatDuration, readOptions } from "./terminal.ts";

const USAGE = `npm run setup -- [options]
  --host app.example.com        domain of the site
  --sender no-reply@example.com sender of the mails, verified at Resend
  --admin you@example.com       e-mail of the first admin
  --resend-key re_…             or RESEND_API_KEY
  --name gatehouse              name of the worker and its database
  --plan free                   or paid: the plan of Cloudflare Workers
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
    bucket: { type: "boolean" },
    "no-bucket": { type: "boolean" },
    "replace-host": { type: "boolean" },
    staging: { type: "boolean" },
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
const site = readSite(environment) ?? fail("wrangler.toml has no [env.staging]. Take it from git.");
const hasTerminal = Boolean(process.stdin.isTTY && process.stdout.isTTY);
const mayAsk = hasTerminal && !options.yes;
const bucket = options["no-bucket"] ? false : options.bucket;
const answers = await collectAnswers({ ...options, bucket }, site, mayAsk);

if (answers.plan === "free") console.log(FREE_PLAN_NOTE);
if (mayAsk && !options["dry-run"]) signInByBrowser();
const steps = setupSteps(environment, answers);
const again = "Then run the same command again. It keeps what is done.";
const isDone = await runSteps(steps, again, options["dry-run"]);
if (!isDone) process.exit(1);
if (options["dry-run"]) console.log("\n  Nothing was changed.");
else printWelcome();

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

function printWelcome() {
  const [admin = ""] = answers.admins.split(",");
  console.log(`
  https://${answers.host} is running, after ${formatDuration(performance.now() - started)}.

  Sign in   https://${answers.host}/login as ${admin.trim()}; the first sign-in makes you an admin
  Keep      commit wrangler.toml: it names your database, and holds no secret
  Later     npm run deploy${environment && ` -- --env ${environment}`}
`);
}
