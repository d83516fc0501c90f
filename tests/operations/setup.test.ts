import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startCloudflareApi } from "../support/cloudflare-api.ts";
import { copyProject } from "../support/project-copy.ts";

// The real scripts run in a copy of the project, one after the other, as an operator's commands do. Each command of
// wrangler takes seconds, so the tests share one copy.

const TIMEOUT_MS = 300_000;
const FLAGS = ["--host", "app.example.com", "--sender", "Example <no-reply@example.com>"];
const ANSWERS = [...FLAGS, "--admin", "admin@example.com", "--resend-key", "re_secret"];

const api = await startCloudflareApi();
const resend = { domains: [{ name: "example.com", status: "pending" }], isRestricted: false };
const site = { isReady: true, isForeign: false };
const project = await mkdtemp(join(tmpdir(), "gatehouse-setup-"));
await copyProject(project);
const servers = [await listen(answerAsResend), await listen(answerAsSite), await listen(refuse)];
const [resendUrl, siteUrl, outside] = servers.map(({ url }) => url);
const refused: string[] = [];

afterAll(async () => {
  for (const { server } of servers) server.close();
  await api[Symbol.asyncDispose]();
  await rm(project, { recursive: true, force: true });
});

type Handler = Parameters<typeof createServer>[1] & {};

async function listen(handler: Handler): Promise<{ url: string; server: Server }> {
  const server = createServer(handler);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  server.on("connect", (request, socket) => {
    refused.push(request.url ?? "");
    socket.destroy();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

function answerAsResend(...[request, response]: Parameters<Handler>) {
  const isKnown = request.headers.authorization === "Bearer re_secret";
  const answer = resend.isRestricted
    ? { statusCode: 401, name: "restricted_api_key", message: "Only for sending" }
    : isKnown
      ? { data: resend.domains }
      : { statusCode: 400, name: "validation_error", message: "API key is invalid" };
  response.writeHead("statusCode" in answer ? Number(answer.statusCode) : 200);
  response.end(JSON.stringify(answer));
}

/** Answers as the deployed worker would: with the name of its build, when its code is deployed. */
async function answerAsSite(...[request, response]: Parameters<Handler>) {
  if (site.isForeign) return void response.writeHead(200).end("Another site");
  const version = await buildName();
  if (!version || !api.isDeployed("gatehouse", version)) return void response.writeHead(530).end();
  response.setHeader("x-gatehouse-version", version);
  const isRefused = request.url === "/ready" && !site.isReady;
  response.writeHead(isRefused ? 503 : 200);
  response.end(isRefused ? '{"status":"unavailable"}' : "{}");
}

async function buildName(): Promise<string | undefined> {
  const text = await readFile(join(project, "build/.version.json"), "utf8").catch(() => undefined);
  return text && JSON.parse(text).version;
}

/** A proxy for all other hosts, which no request may need. */
function refuse(...[request, response]: Parameters<Handler>) {
  refused.push(request.url ?? "");
  response.writeHead(502).end();
}

/** Runs an npm script in the copy, without a terminal. */
async function npm(script: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn("npm", ["run", "--silent", script, "--", ...args], {
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

const readToml = () => readFile(join(project, "wrangler.toml"), "utf8");

test("a dry run and wrong answers change nothing, and name the cure", {
  timeout: TIMEOUT_MS,
}, async () => {
  const shipped = await readToml();
  const runs = await Promise.all([
    npm("setup", [...ANSWERS, "--dry-run"]),
    npm("setup", [...ANSWERS, "--host", "localhost"]),
    npm("setup", [...FLAGS, "--admin", "admin"]),
    npm("setup", ["--yes"]),
    npm("setup", [...ANSWERS, "--plan", "business"]),
    npm("deploy", []),
    npm("setup", [...ANSWERS, "--no-bucket", "--dry-run"]),
    npm("setup", [...ANSWERS, "--plan", "paid", "--dry-run"]),
  ]);

  expect(runs.map(({ code }) => code)).toEqual([0, 1, 1, 1, 1, 1, 0, 0]);
  const [dry, host, admin, empty, plan, deploy, bare, paid] = runs.map(({ output }) => output);
  expect(dry).toContain("Create the database gatehouse\n");
  expect(dry).toContain("Nothing was changed.");
  expect(dry).toContain("The free plan is for trying Gatehouse.");
  expect(paid).not.toContain("The free plan is for trying Gatehouse.");
  expect(dry).toContain("gatehouse-avatars");
  expect(bare).not.toContain("gatehouse-avatars");
  expect(host).toContain('"localhost" is no domain of your own. Give one such as app.example.com');
  expect(admin).toContain('"admin" is no e-mail.');
  expect(empty).toContain("--host: is missing.");
  expect(plan).toContain('"business" is neither free nor paid.');
  expect(deploy).toContain("Run npm run setup first.");
  expect(await readToml()).toBe(shipped);
  expect(api.changes).toEqual([]);
});

test("each failure names its cure, and the next run goes on", { timeout: TIMEOUT_MS }, async () => {
  const unverified = await npm("setup", ANSWERS);
  expect(unverified.code).toBe(1);
  expect(unverified.output).toContain("Resend has not verified example.com yet (pending).");
  expect(unverified.output).toContain("https://resend.com/domains");
  resend.domains[0] = { name: "example.com", status: "verified" };

  site.isForeign = true;
  const takenHost = await npm("setup", ANSWERS);
  expect(takenHost.code).toBe(1);
  expect(takenHost.output).toContain("Another site answers at app.example.com.");
  expect(takenHost.output).toContain("--replace-host");
  site.isForeign = false;

  const wrongToken = await npm("setup", ANSWERS, { CLOUDFLARE_API_TOKEN: "cf_wrong" });
  expect(wrongToken.code).toBe(1);
  expect(wrongToken.output).toMatch(/token is wrong or lacks a right.*CLOUDFLARE_API_TOKEN/);

  api.addWorker("gatehouse");
  const takenName = await npm("setup", ANSWERS);
  expect(takenName.code).toBe(1);
  expect(takenName.output).toContain("There is a worker gatehouse already, of another project.");
  expect(takenName.output).toContain("Choose another name: --name");
  api.workers.delete("gatehouse");
  expect(api.changes).toEqual([]);

  api.settings.isR2Enabled = false;
  const noR2 = await npm("setup", ANSWERS);
  expect(noR2.code).toBe(1);
  expect(noR2.output).toContain("Switch on R2 in Cloudflare's dashboard");
  expect(api.databases).toHaveLength(1);
  api.settings.isR2Enabled = true;
  // The shipped wrangler.toml has a limit, which this plan does not accept.
  api.settings.isPaid = false;
});

test("setup goes on to a running site, and again changes nothing", {
  timeout: TIMEOUT_MS,
}, async () => {
  // The answers are in wrangler.toml since the half-done setup.
  const finished = await npm("setup", ["--yes"], { RESEND_API_KEY: "re_secret" });

  expect(finished.output).toContain("https://app.example.com/login as admin@example.com");
  expect(finished.code).toBe(0);
  const worker = api.workers.get("gatehouse");
  expect(worker?.domains).toEqual(["app.example.com"]);
  expect(worker).toMatchObject({ isOnWorkersDev: false, hasPreviews: false });
  expect(worker?.crons).toHaveLength(2);
  expect(worker?.secrets.get("RESEND_API_KEY")).toBe("re_secret");
  const secret = worker?.secrets.get("BETTER_AUTH_SECRET") ?? "";
  expect(secret.length).toBeGreaterThanOrEqual(43);
  const toml = await readToml();
  expect(finished.output + toml).not.toContain(secret);
  expect(finished.output + toml).not.toContain("re_secret");
  expect(toml).not.toContain("[limits]");
  expect(toml).toContain(`database_id = "${api.databases[0]?.uuid}"`);
  expect(worker?.versions[0]?.bindings.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["DB", "AVATARS", "ASSETS", "BASE_URL"]),
  );

  const changes = writes();
  const again = await npm("setup", ["--yes"]);
  expect(again.code).toBe(0);
  expect(again.output).toContain("Create the database gatehouse: already done");
  expect(writes()).toEqual(changes);
  expect(worker?.secrets.get("BETTER_AUTH_SECRET")).toBe(secret);
  expect(await readToml()).toBe(toml);
});

test("a deployment that is not ready names the way back", { timeout: TIMEOUT_MS }, async () => {
  const worker = api.workers.get("gatehouse");
  const before = worker?.deployments[0]?.versionId;
  const current = await npm("deploy", []);
  expect(current.code).toBe(0);
  expect(worker?.deployments[0]?.versionId).toBe(before);

  site.isReady = false;
  const failed = await npm("deploy", []);
  expect(failed.code).toBe(1);
  expect(failed.output).toContain("/ready answers 503");
  expect(failed.output).toContain(`npx wrangler rollback ${before} --yes`);
  expect(failed.output).toContain("npx wrangler d1 time-travel restore DB --timestamp=");
  site.isReady = true;
});

test("no command of wrangler needed another server", () => {
  expect(api.unknown).toEqual([]);
  expect(refused).toEqual([]);
});

/** The changes without queries, because the question for pending migrations is one. */
function writes() {
  return api.changes.filter((change) => !change.endsWith("/query"));
}
