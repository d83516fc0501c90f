import { randomBytes } from "node:crypto";
import { StepError } from "./step.ts";
import { askWrangler } from "./wrangler.ts";

/** Cloudflare's code for an account without a subdomain of workers.dev. */
const NO_SUBDOMAIN = 10007;
const TIMEOUT_MS = 15_000;

type Answer = { result: { subdomain: string } | null; errors: { code: number; message: string }[] };

/**
 * Returns the host that a worker without a domain has, and gives the account a subdomain of workers.dev if it has none.
 * wrangler has no command for either that asks nothing.
 */
export async function hostOnWorkersDev(environment: string, name: string): Promise<string> {
  const known = await callSubdomain(environment);
  if (known.result) return hostOf(name, known.result.subdomain);
  if (known.errors[0]?.code !== NO_SUBDOMAIN) throw new Error(messageOf(known));
  const made = await callSubdomain(environment, `${name}-${randomBytes(3).toString("hex")}`);
  if (made.result) return hostOf(name, made.result.subdomain);
  throw new StepError(
    messageOf(made),
    "Choose a subdomain in Cloudflare's dashboard: Workers & Pages, Your subdomain.",
  );
}

function hostOf(name: string, subdomain: string) {
  return `${name}.${subdomain}.workers.dev`;
}

function messageOf({ errors }: Answer) {
  return errors.map(({ code, message }) => `${message} [code: ${code}]`).join("; ");
}

/** Reads the account's subdomain, or sets it. */
async function callSubdomain(environment: string, subdomain?: string): Promise<Answer> {
  const auth = await askWrangler<{ token?: string; key?: string; email?: string }>(environment, [
    "auth",
    "token",
    "--json",
  ]);
  const base = process.env.CLOUDFLARE_API_BASE_URL || "https://api.cloudflare.com/client/v4";
  const url = `${base}/accounts/${process.env.CLOUDFLARE_ACCOUNT_ID}/workers/subdomain`;
  const response = await fetch(url, {
    method: subdomain ? "PUT" : "GET",
    headers: {
      ...(auth.token
        ? { Authorization: `Bearer ${auth.token}` }
        : { "X-Auth-Key": auth.key ?? "", "X-Auth-Email": auth.email ?? "" }),
      "Content-Type": "application/json",
    },
    body: subdomain && JSON.stringify({ subdomain }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return (await response.json()) as Answer;
}
