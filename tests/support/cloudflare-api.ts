import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type Answer,
  type Call,
  newWorker,
  ok,
  on,
  readMetadata,
  refuse,
  type Worker,
} from "./cloudflare-answers.ts";
import { makeDatabases } from "./cloudflare-databases.ts";

/**
 * Starts a server on loopback that answers the calls of Cloudflare's API that wrangler makes for
 * setup and deployment, and keeps what they make: databases (SQLite in memory), buckets, workers
 * with their versions, secrets and domains. wrangler finds it by CLOUDFLARE_API_BASE_URL. A call
 * that it does not know is answered with 404 and listed in `unknown`.
 */
export async function startCloudflareApi() {
  const account = { id: "0123456789abcdef0123456789abcdef", name: "Operator" };
  const token = `cf_${crypto.randomUUID().replaceAll("-", "")}`;
  const databases = makeDatabases();
  const buckets = new Set<string>();
  const workers = new Map<string, Worker>();
  const zones = new Set(["example.com"]);
  const changes: string[] = [];
  const unknown: string[] = [];
  const settings = { isR2Enabled: true, isPaid: true, subdomain: "" };

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { pathname } = new URL(request.url ?? "/", url);
    const call = {
      method: request.method ?? "GET",
      path: pathname.replace("/client/v4", ""),
      body: Buffer.concat(chunks),
      contentType: request.headers["content-type"] ?? "",
    };
    // Assets are uploaded with the token of their upload session.
    const isAllowed =
      request.headers.authorization === `Bearer ${token}` || call.path.includes("/assets/upload");
    const answered = isAllowed
      ? route(call)
      : { status: 401, code: 10000, message: "Authentication error" };
    const isRefused = "code" in answered;
    if (!isRefused && call.method !== "GET") changes.push(`${call.method} ${call.path}`);
    response.writeHead(isRefused ? answered.status : 200, { "Content-Type": "application/json" });
    response.end(
      JSON.stringify({
        success: !isRefused,
        errors: isRefused ? [{ code: answered.code, message: answered.message }] : [],
        messages: [],
        result: isRefused ? null : answered.result,
        result_info: { page: 1, per_page: 50, count: 1, total_count: 1, total_pages: 1 },
      }),
    );
  }

  function route(call: Omit<Call, "params">): Answer {
    for (const [method, pattern, handle] of ROUTES) {
      const match = call.method === method ? pattern.exec(call.path) : null;
      if (match) return handle({ ...call, params: match.slice(1).map(decodeURIComponent) });
    }
    unknown.push(`${call.method} ${call.path}`);
    return refuse(404, 7003, `Could not route to ${call.path}`);
  }

  const scripts = `/accounts/${account.id}/workers/scripts/([^/]+)`;
  const d1 = `/accounts/${account.id}/d1/database`;
  const ROUTES: [method: string, pattern: RegExp, handle: (call: Call) => Answer][] = [
    ["GET", on("/user"), () => ok({ id: "user", email: "operator@example.com" })],
    ["GET", on("/user/tokens/verify"), () => ok({ id: "token", status: "active" })],
    ["GET", on("/accounts"), () => ok([account])],
    ["GET", on("/memberships"), () => ok([{ id: "membership", account, roles: [] }])],
    ["GET", on(d1), databases.list],
    ["POST", on(d1), databases.create],
    ["GET", on(`${d1}/([^/]+)`), databases.read],
    ["POST", on(`${d1}/([^/]+)/query`), databases.query],
    ["GET", on(`/accounts/${account.id}/r2/buckets/([^/]+)`), getBucket],
    ["GET", on(`/accounts/${account.id}/r2/buckets`), listBuckets],
    ["POST", on(`/accounts/${account.id}/r2/buckets`), createBucket],
    ["GET", on(`/accounts/${account.id}/workers/services/([^/]+)`), getService],
    ["GET", on(`/accounts/${account.id}/workers/subdomain`), readSubdomain],
    ["PUT", on(`/accounts/${account.id}/workers/subdomain`), chooseSubdomain],
    ["PUT", on(scripts), (call) => upload(call, true)],
    ["POST", on(`${scripts}/versions`), (call) => upload(call, false)],
    ["GET", on(`${scripts}/versions/([^/]+)`), getVersion],
    ["GET", on(`${scripts}/deployments`), listDeployments],
    ["POST", on(`${scripts}/deployments`), deployVersion],
    ["GET", on(`${scripts}/secrets`), listSecrets],
    ["PATCH", on(`${scripts}/secrets-bulk`), putSecrets],
    ["PATCH", on(`${scripts}/script-settings`), () => ok({})],
    ["GET", on(`${scripts}/settings`), getSettings],
    ["GET", on(`/accounts/${account.id}/workers/workers/([^/]+)`), getSubdomain],
    ["POST", on(`${scripts}/subdomain`), setSubdomain],
    ["POST", on(`${scripts}/assets-upload-session`), () => ok({ jwt: "assets", buckets: [] })],
    ["PUT", on(`${scripts}/schedules`), setCrons],
    ["POST", on(`${scripts}/domains/changeset`), noDomainChanges],
    ["PUT", on(`${scripts}/domains/records`), setDomains],
  ];

  function getBucket({ params: [name = ""] }: Call) {
    if (!settings.isR2Enabled) return R2_IS_OFF;
    return buckets.has(name) ? ok({ name }) : refuse(404, 10006, "The bucket does not exist.");
  }

  function listBuckets() {
    return ok({ buckets: [...buckets].map((name) => ({ name })) });
  }

  function createBucket({ body }: Call) {
    if (!settings.isR2Enabled) return R2_IS_OFF;
    const { name } = JSON.parse(String(body));
    if (buckets.has(name)) {
      return refuse(409, 10004, "The bucket you tried to create already exists, and you own it.");
    }
    buckets.add(name);
    return ok({ name });
  }

  function withWorker([name = ""]: string[], read: (worker: Worker) => unknown): Answer {
    const worker = workers.get(name);
    return worker
      ? ok(read(worker))
      : refuse(404, 10007, "This Worker does not exist on your account.");
  }

  function getService({ params }: Call) {
    return withWorker(params, () => ({
      default_environment: {
        environment: "production",
        script: { tag: "tag", tags: [], last_deployed_from: "wrangler" },
      },
    }));
  }

  function readSubdomain() {
    const { subdomain } = settings;
    return subdomain ? ok({ subdomain }) : refuse(404, 10007, "There is no subdomain.");
  }

  function chooseSubdomain({ body }: Call) {
    settings.subdomain = JSON.parse(String(body)).subdomain;
    return readSubdomain();
  }

  /** Uploads a worker. A PUT makes the worker if it is new, and deploys the upload at once. */
  function upload({ params: [name = ""], body, contentType }: Call, isDeployed: boolean): Answer {
    const metadata = readMetadata(body, contentType);
    if (metadata.limits?.cpu_ms && !settings.isPaid) {
      return refuse(400, 100328, "CPU limits are not supported for the Free plan.");
    }
    const lacking = metadata.bindings?.find(
      ({ type, id, bucket_name }) =>
        (type === "d1" && !databases.all.some(({ uuid }) => uuid === id)) ||
        (type === "r2_bucket" && !buckets.has(bucket_name ?? "")),
    );
    if (lacking) return refuse(400, 10181, `The binding ${lacking.name} was not found.`);
    const worker = workers.get(name) ?? newWorker();
    workers.set(name, worker);
    const version = { id: crypto.randomUUID(), bindings: metadata.bindings ?? [], upload: body };
    worker.versions.unshift(version);
    if (isDeployed) worker.deployments.unshift({ id: crypto.randomUUID(), versionId: version.id });
    return ok({
      id: version.id,
      deployment_id: version.id.replaceAll("-", ""),
      startup_time_ms: 10,
      resources: { script: { etag: version.id } },
    });
  }

  function getVersion({ params: [name = "", id] }: Call): Answer {
    const version = workers.get(name)?.versions.find((each) => each.id === id);
    return version ? ok({ id }) : refuse(404, 10007, "This version does not exist.");
  }

  function listDeployments({ params }: Call) {
    return withWorker(params, ({ deployments }) => ({
      deployments: deployments.map(({ id, versionId }) => ({
        id,
        source: "wrangler",
        strategy: "percentage",
        author_email: "operator@example.com",
        created_on: "2026-11-22T00:00:00Z",
        annotations: {},
        versions: [{ version_id: versionId, percentage: 100 }],
      })),
    }));
  }

  function deployVersion({ params, body }: Call) {
    const { versions } = JSON.parse(String(body));
    const deployment = { id: crypto.randomUUID(), versionId: versions[0].version_id };
    return withWorker(params, ({ deployments }) => {
      deployments.unshift(deployment);
      return { id: deployment.id };
    });
  }

  function listSecrets({ params }: Call) {
    return withWorker(params, ({ secrets }) =>
      [...secrets.keys()].map((name) => ({ name, type: "secret_text" })),
    );
  }

  function putSecrets({ params, body }: Call) {
    const { secrets: given } = JSON.parse(String(body));
    return withWorker(params, ({ secrets }) => {
      for (const [name, { text }] of Object.entries<{ text: string }>(given))
        secrets.set(name, text);
      return {};
    });
  }

  function getSettings({ params }: Call) {
    return withWorker(params, ({ versions }) => ({ bindings: versions[0]?.bindings ?? [] }));
  }

  function getSubdomain({ params }: Call) {
    return withWorker(params, ({ isOnWorkersDev, hasPreviews }) => ({
      subdomain: { enabled: isOnWorkersDev, previews_enabled: hasPreviews },
    }));
  }

  function setSubdomain(call: Call) {
    const { enabled, previews_enabled } = JSON.parse(String(call.body));
    return withWorker(call.params, (worker) => {
      worker.isOnWorkersDev = enabled;
      worker.hasPreviews = previews_enabled;
      return { enabled, previews_enabled };
    });
  }

  function setCrons({ params, body }: Call) {
    return withWorker(params, (worker) => {
      worker.crons = JSON.parse(String(body)).map(({ cron }: { cron: string }) => cron);
      return {};
    });
  }

  function noDomainChanges() {
    return ok({ added: [], removed: [], updated: [], conflicting: [] });
  }

  function setDomains({ params, body }: Call) {
    const { origins } = JSON.parse(String(body));
    const hosts = origins.map(({ hostname }: { hostname: string }) => hostname);
    const foreign = hosts.find((host: string) => ![...zones].some((zone) => host.endsWith(zone)));
    if (foreign) return refuse(404, 10083, `workers.api.error.zone_not_found for "${foreign}"`);
    return withWorker(params, (worker) => {
      worker.domains = hosts;
      return hosts.map((hostname: string) => ({ hostname }));
    });
  }

  return {
    account,
    token,
    /** Settings with which a child process talks to this server and to no other. */
    env: {
      CLOUDFLARE_API_BASE_URL: `${url}/client/v4`,
      CLOUDFLARE_API_TOKEN: token,
    },
    databases: databases.all,
    buckets,
    workers,
    /** Whether the account has R2 and the paid plan, and its subdomain of workers.dev. */
    settings,
    /** Each call that changed something, such as "POST /accounts/…/d1/database". */
    changes,
    /** Calls that this server does not answer. */
    unknown,
    /** True when all requests to a worker reach code that contains a text, such as the name of a build. */
    isDeployed(name: string, text: string) {
      const worker = workers.get(name);
      const live = worker?.versions.find(({ id }) => id === worker.deployments[0]?.versionId);
      return live?.upload.includes(text) ?? false;
    },
    /** Adds a worker that was deployed by another project. */
    addWorker(name: string) {
      const id = crypto.randomUUID();
      const deployments = [{ id: crypto.randomUUID(), versionId: id }];
      workers.set(name, { ...newWorker(), deployments });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      for (const { sqlite } of databases.all) sqlite.close();
    },
  };
}

const R2_IS_OFF = refuse(403, 10042, "Please enable R2 through the Cloudflare Dashboard.");
