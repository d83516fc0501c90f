import { randomBytes } from "node:crypto";
import type { Answers } from "./answers.ts";
import { deploymentSteps, findDeployedVersion } from "./deployment.ts";
import { checkSender, sendTestMail } from "./sender.ts";
import { checkDomainIsFree } from "./site.ts";
import { type Step, StepError } from "./step.ts";
import { readSite, type Site, writeSite } from "./toml.ts";
import { hostOnWorkersDev } from "./workers-dev.ts";
import { askWrangler, WranglerError, wrangler } from "./wrangler.ts";

/** Cloudflare's code for a bucket that exists in the same account. */
const OWN_BUCKET = 10004;
/** Cloudflare's code for an account in which R2 is not switched on. */
const NO_R2 = 10042;
const NO_WORKER = 10007;

/** Returns every step from an account to a running site. wrangler.toml keeps what is done, so setup can go on later. */
export function setupSteps(environment: string, answers: Answers): Step[] {
  const getSite = () => {
    const site = readSite(environment);
    if (!site) throw new Error(`wrangler.toml has no [env.${environment}].`);
    return site;
  };
  const { host, isDemo, hasBucket, mayReplaceHost } = answers;
  return [
    ...(isDemo ? [] : [checkMailSender(answers)]),
    ...(host === undefined || mayReplaceHost ? [] : [checkDomain(host)]),
    signIn(environment),
    writeSettings(environment, answers),
    createDatabase(environment, answers, getSite),
    setUrl(environment, answers),
    ...(hasBucket ? [createBucket(environment, picturesOf(answers), host === undefined)] : []),
    setSecrets(environment, answers),
    ...deploymentSteps(environment, getSite),
  ];
}

/** A demonstration has a database of its own, because its accounts are known to everybody. */
function databaseOf({ name, isDemo }: Answers) {
  return isDemo ? `${name}-demo` : name;
}

function picturesOf({ name }: Answers) {
  return `${name}-avatars`;
}

function signIn(environment: string): Step {
  return {
    title: "Sign in to Cloudflare",
    cure: "Set CLOUDFLARE_API_TOKEN to a token with the rights that docs/deploy.md names, or sign in: npx wrangler login",
    async run() {
      const { loggedIn, accounts } = await askWrangler<{
        loggedIn: boolean;
        accounts: { id: string; name: string }[];
      }>(environment, ["whoami", "--json"]);
      if (!loggedIn) throw new Error("There is no token and no sign-in.");
      const wanted = process.env.CLOUDFLARE_ACCOUNT_ID || readSite(environment)?.accountId;
      const account = wanted ? accounts.find(({ id }) => id === wanted) : accounts[0];
      if (!account || (!wanted && accounts.length > 1)) {
        const list = accounts.map(({ id, name }) => `${id} (${name})`).join(", ");
        throw new StepError(
          wanted
            ? `The token does not reach the account ${wanted}.`
            : "The token reaches several accounts.",
          `Set CLOUDFLARE_ACCOUNT_ID to one of: ${list}`,
        );
      }
      process.env.CLOUDFLARE_ACCOUNT_ID = account.id;
      return `${account.name} (${account.id})`;
    },
  };
}

function checkMailSender({ host, sender, admins, resendKey }: Answers): Step {
  if (host === undefined && resendKey) {
    return {
      title: `Send a mail to ${admins}`,
      cure: "Resend did not answer. Try again.",
      run: () => sendTestMail(sender, admins.split(",")[0]?.trim() ?? "", resendKey),
    };
  }
  return {
    title: `Check the sender ${sender} at Resend`,
    cure: "Resend did not answer. Try again.",
    run: () => (resendKey ? checkSender(sender, resendKey) : "not checked: no key was given"),
  };
}

function checkDomain(host: string): Step {
  return {
    title: `Check that ${host} is free`,
    cure: "Choose another domain: --host",
    run: () => checkDomainIsFree(host),
  };
}

function writeSettings(environment: string, answers: Answers): Step {
  return {
    title: "Write the settings into wrangler.toml",
    cure: "Is wrangler.toml writable? Undo your changes to its layout: git diff wrangler.toml",
    run() {
      const { name, sender, admins, plan, region, hasBucket } = answers;
      const isChanged = writeSite(environment, {
        name,
        sender,
        admins,
        plan,
        region,
        accountId: process.env.CLOUDFLARE_ACCOUNT_ID,
        bucketName: hasBucket ? picturesOf(answers) : undefined,
      });
      return isChanged ? "written" : "already there";
    },
  };
}

/**
 * Creates the database, or takes an empty one of that name, which an interrupted setup has left. What follows a
 * demonstration gets a new one.
 */
function createDatabase(environment: string, answers: Answers, getSite: () => Site): Step {
  const name = databaseOf(answers);
  const { isDemo } = answers;
  return {
    title: `Create the database ${name}`,
    cure: "The lines above are Cloudflare's answer.",
    isDone: () => getSite().databaseId !== undefined && getSite().isDemo === isDemo,
    async run() {
      const found = await findDatabase(environment, name);
      if (found && found.num_tables > 0) {
        throw new StepError(
          `There is a database ${name} with tables already.`,
          `Choose another name: --name. If it is the database of this site, put its id into wrangler.toml: database_id = "${found.uuid}"`,
        );
      }
      if (!found && getSite().databaseId === undefined) {
        await refuseTakenName(environment, answers.name);
      }
      const databaseId = found?.uuid ?? (await makeDatabase(environment, name, answers.location));
      writeSite(environment, { databaseId, databaseName: name, isDemo });
      return found ? "found, and empty" : "created";
    },
  };
}

/** Sets the site's URL; without a domain the one that Cloudflare gives to each worker. */
function setUrl(environment: string, { name, host }: Answers): Step {
  return {
    title: host === undefined ? "Take a URL on workers.dev" : `Set the URL https://${host}`,
    cure: "The lines above are Cloudflare's answer.",
    async run() {
      const taken = host ?? (await hostOnWorkersDev(environment, name));
      const isChanged = writeSite(environment, { host: taken });
      return isChanged ? `https://${taken}` : "already set";
    },
  };
}

async function makeDatabase(environment: string, name: string, location: string | undefined) {
  const hint = location ? ["--location", location] : [];
  const printed = await wrangler(environment, ["d1", "create", name, ...hint]);
  const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(printed)?.[0];
  if (!id) throw new Error(`wrangler names no id of the new database:\n${printed}`);
  return id;
}

async function findDatabase(environment: string, name: string) {
  const databases = await askWrangler<{ uuid: string; name: string; num_tables: number }[]>(
    environment,
    ["d1", "list", "--json"],
  );
  return databases.find((database) => database.name === name);
}

/** A worker of this name without our database belongs to another project, and a deployment would replace it. */
async function refuseTakenName(environment: string, name: string) {
  if (await findDatabase(environment, name)) return;
  if ((await findDeployedVersion(environment)) === undefined) return;
  throw new StepError(
    `There is a worker ${name} already, of another project.`,
    "Choose another name: --name",
  );
}

function createBucket(environment: string, name: string, isTrial: boolean): Step {
  return {
    title: `Create the bucket ${name} for pictures`,
    cure: "Choose another name: --name, or go without: --no-bucket",
    async run() {
      try {
        await wrangler(environment, ["r2", "bucket", "create", name]);
        return "created";
      } catch (error) {
        if (!(error instanceof WranglerError)) throw error;
        if (error.code === OWN_BUCKET) return "already there";
        if (isTrial && error.code === NO_R2) {
          writeSite(environment, { bucketName: undefined });
          return "left out, because R2 is not switched on in this account: users have initials";
        }
        throw error;
      }
    },
  };
}

/** Sets what is missing. A secret that exists stays, because a new one would sign every user out. */
function setSecrets(environment: string, { isDemo, resendKey }: Answers): Step {
  return {
    title: `Set the secrets BETTER_AUTH_SECRET${isDemo ? "" : " and RESEND_API_KEY"}`,
    cure: "The lines above are Cloudflare's answer.",
    async run() {
      const known = await listSecrets(environment);
      const missing: Record<string, string> = {};
      if (!known.includes("BETTER_AUTH_SECRET")) {
        missing.BETTER_AUTH_SECRET = randomBytes(32).toString("base64url");
      }
      if (!isDemo && !known.includes("RESEND_API_KEY")) {
        if (!resendKey) {
          throw new StepError(
            "There is no Resend key.",
            "Give it as RESEND_API_KEY or --resend-key.",
          );
        }
        missing.RESEND_API_KEY = resendKey;
      }
      const names = Object.keys(missing);
      if (names.length === 0) return "already set";
      await wrangler(environment, ["secret", "bulk"], JSON.stringify(missing));
      return `${names.join(" and ")} set`;
    },
  };
}

async function listSecrets(environment: string): Promise<string[]> {
  try {
    const secrets = await askWrangler<{ name: string }[]>(environment, ["secret", "list"]);
    return secrets.map(({ name }) => name);
  } catch (error) {
    const isNew = error instanceof WranglerError && /not found/i.test(error.message);
    if (isNew || (error instanceof WranglerError && error.code === NO_WORKER)) return [];
    throw error;
  }
}
