import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCloudflareApi } from "./cloudflare-api.ts";
import { copyProject } from "./project-copy.ts";

type Handler = Parameters<typeof createServer>[1] & {};

/**
 * Makes a copy of the project with a Cloudflare account, a Resend account and a site, all on this machine, in which an
 * operator's commands run. A request to another machine is refused and listed.
 */
export async function anOperator() {
  const api = await startCloudflareApi();
  const resend = {
    domains: [{ name: "example.com", status: "pending" }],
    isRestricted: false,
    /** The e-mail with which the account was opened. */
    owner: "owner@example.net",
    /** The recipients of the mails. */
    sent: [] as string[],
  };
  const site = { isReady: true, isForeign: false };
  const project = await mkdtemp(join(tmpdir(), "gatehouse-setup-"));
  await copyProject(project);
  const refused: string[] = [];
  const servers = [await listen(answerAsResend), await listen(answerAsSite), await listen(refuse)];
  const [resendUrl, siteUrl, outside] = servers.map(({ url }) => url);
  const buildVersion = () => readBuildVersion(project);

  async function listen(handler: Handler): Promise<{ url: string; server: Server }> {
    const server = createServer(handler);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    server.on("connect", (request, socket) => {
      refused.push(request.url ?? "");
      socket.destroy();
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
  }

  async function answerAsResend(...[request, response]: Parameters<Handler>) {
    const answer = request.url === "/emails" ? await send(request) : listDomains(request);
    response.writeHead("statusCode" in answer ? Number(answer.statusCode) : 200);
    response.end(JSON.stringify(answer));
  }

  function listDomains(request: Parameters<Handler>[0]) {
    if (resend.isRestricted)
      return { statusCode: 401, name: "restricted_api_key", message: "Only for sending" };
    return isKnown(request) ? { data: resend.domains } : UNKNOWN_KEY;
  }

  /** Resend's test sender reaches only the mailbox of the account. */
  async function send(request: Parameters<Handler>[0]) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { from, to } = JSON.parse(Buffer.concat(chunks).toString());
    if (!isKnown(request)) return UNKNOWN_KEY;
    if (from.endsWith("<onboarding@resend.dev>") && String(to) !== resend.owner) {
      return {
        statusCode: 403,
        name: "validation_error",
        message: `You can only send testing emails to your own email address (${resend.owner}).`,
      };
    }
    resend.sent.push(...to);
    return { id: crypto.randomUUID() };
  }

  /** Answers as the deployed worker would: with the name of its build, when its code is deployed. */
  async function answerAsSite(...[request, response]: Parameters<Handler>) {
    if (site.isForeign) return void response.writeHead(200).end("Another site");
    const version = await buildVersion();
    if (!version || !api.isDeployed("gatehouse", version))
      return void response.writeHead(530).end();
    response.setHeader("x-gatehouse-version", version);
    const isRefused = request.url === "/ready" && !site.isReady;
    response.writeHead(isRefused ? 503 : 200);
    response.end(isRefused ? '{"status":"unavailable"}' : "{}");
  }

  /** A proxy for all other hosts, which no request may need. */
  function refuse(...[request, response]: Parameters<Handler>) {
    refused.push(request.url ?? "");
    response.writeHead(502).end();
  }

  /** Runs a command in the copy, without a terminal. */
  async function run(command: string, args: string[], env: Record<string, string> = {}) {
    const child = spawn(command, args, {
      cwd: project,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env.PATH,
        // Without an earlier sign-in, and without this machine's settings.
        HOME: project,
        ...api.env,
        RESEND_BASE_URL: resendUrl,
        SITE_URL: siteUrl,
        READY_TIMEOUT: "3",
        // Else wrangler asks the registry for its newest version.
        WRANGLER_HIDE_BANNER: "true",
        WRANGLER_SEND_METRICS: "false",
        HTTP_PROXY: outside,
        HTTPS_PROXY: outside,
        NO_PROXY: "127.0.0.1,localhost",
        ...env,
      },
    });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    const code = await new Promise<number | null>((done) => child.on("close", done));
    return { code, output };
  }

  return {
    api,
    resend,
    site,
    /** Requests to other machines. */
    refused,
    readToml: () => readFile(join(project, "wrangler.toml"), "utf8"),
    npm: (script: string, args: string[], env?: Record<string, string>) =>
      run("npm", ["run", "--silent", script, "--", ...args], env),
    npx: (args: string[]) => run("npx", args),
    /** The changes in the account without queries, because the question for pending migrations is one. */
    writes: () => api.changes.filter((change) => !change.endsWith("/query")),
    async [Symbol.asyncDispose]() {
      for (const { server } of servers) server.close();
      await api[Symbol.asyncDispose]();
      await rm(project, { recursive: true, force: true });
    },
  };
}

const UNKNOWN_KEY = { statusCode: 400, name: "validation_error", message: "API key is invalid" };

function isKnown(request: Parameters<Handler>[0]) {
  return request.headers.authorization === "Bearer re_secret";
}

async function readBuildVersion(project: string): Promise<string | undefined> {
  const text = await readFile(join(project, "build/.version.json"), "utf8").catch(() => undefined);
  return text && JSON.parse(text).version;
}
