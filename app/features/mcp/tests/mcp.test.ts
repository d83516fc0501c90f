import { auth, type OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterAll, describe, expect, test } from "vitest";
import { type Browser, newBrowser } from "../../../../tests/support/client.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { aSignedInUser, aUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { aKey, ORGANIZATION_SCOPES } from "../../api-keys/tests/api-keys.ts";
import { APP_SCOPES } from "../../connected-apps/scopes.ts";
import { type App, allow, aParty } from "../../connected-apps/tests/relying-party.ts";
import { aRepository, newName } from "../../repositories/tests/repositories.ts";
import { MCP, RESOURCE_METADATA, RESOURCES } from "../mcp-paths.ts";

// Agents call the API by the Model Context Protocol: with the client of its official SDK.

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const REDIRECT_URI = "http://127.0.0.1:33418/callback";
const CALLS = ["repository.read", "repository.create", "repository.update", "repository.delete"];
const agent = await aParty(gatehouse, {
  name: "Assistant",
  isPublic: true,
  redirectUris: [REDIRECT_URI],
  scopes: [...APP_SCOPES, ...CALLS, "audit.read", "organization.update"],
});

/** What an agent keeps of a sign-in, and where it leads its user. */
function aProvider({ clientId }: Pick<App, "clientId">) {
  const kept: { tokens?: OAuthTokens; verifier?: string; asked?: URL } = {};
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT_URI,
    clientMetadata: { redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: "none" },
    clientInformation: () => ({ client_id: clientId }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (url) => {
      kept.asked = url;
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? "",
  };
  return { provider, kept };
}

const url = new URL(MCP, gatehouse.origin);

/** Signs an agent in as its SDK does, by way of the browser, and connects it. */
async function anAgentOf(browser: Browser, app: Pick<App, "clientId"> = agent) {
  const { provider, kept } = aProvider(app);
  const transport = new StreamableHTTPClientTransport(url, { authProvider: provider });
  await expect(connect(transport)).rejects.toThrow();
  const asked = kept.asked ?? url;
  const away = await allow(gatehouse, browser, { url: asked, verifier: "", state: "", nonce: "" });
  await transport.finishAuth(away.searchParams.get("code") ?? "");
  const signedIn = new StreamableHTTPClientTransport(url, { authProvider: provider });
  return { client: await connect(signedIn), asked };
}

async function connect(transport: StreamableHTTPClientTransport): Promise<Client> {
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(transport as Transport);
  return client;
}

async function connectWith(headers: Record<string, string>): Promise<Client> {
  return connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
}

async function run(client: Client, name: string, fields: Record<string, unknown> = {}) {
  const answer = await client.callTool({ name, arguments: fields });
  const [part] = answer.content as { type: string; text: string }[];
  const text = part?.text ?? "";
  return {
    isError: answer.isError === true,
    text,
    body: text.startsWith("{") ? JSON.parse(text) : undefined,
  };
}

async function namesOf(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name).sort();
}

test("an agent signs its user in, sees what it may do, and does it", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { role: "admin" });
  const repository = await aRepository(gatehouse);

  const { client, asked } = await anAgentOf(browser);

  expect(asked.searchParams.get("resource")).toBe(url.href);
  expect(client.getServerVersion()?.name).toBe("Gatehouse");
  expect(await namesOf(client)).toEqual([
    "createRepository",
    "deleteRepository",
    "getMe",
    "getRepository",
    "listEvents",
    "listRepositories",
    "shareRepository",
    "unshareRepository",
    "updateRepository",
  ]);
  expect((await run(client, "getMe")).body).toMatchObject({ id: user.id });
  const { body: found } = await run(client, "listRepositories", { searchTerm: repository.name });
  expect(found.repositories).toMatchObject([{ id: repository.id }]);
  const fields = { name: newName(), link: "https://git.example/acme/agent" };
  const { body: made } = await run(client, "createRepository", { ...fields, idempotencyKey: "a" });
  expect(made).toMatchObject(fields);
  expect((await run(client, "createRepository", { ...fields, idempotencyKey: "a" })).body.id).toBe(
    made.id,
  );
  const renamed = { ...fields, id: made.id, name: newName(), version: 1 };
  expect((await run(client, "updateRepository", renamed)).body).toMatchObject({ version: 2 });
  const late = await run(client, "updateRepository", { ...renamed, name: newName() });
  expect(late).toMatchObject({ isError: true, body: { code: "CONFLICT" } });
});

test("what a screen asks a proof for waits for the user", async () => {
  const { browser } = await aSignedInUser(gatehouse, { role: "admin" });
  const { client } = await anAgentOf(browser);
  const { id } = await aRepository(gatehouse);

  const asked = await run(client, "deleteRepository", { id, version: 1 });
  expect(asked).toMatchObject({ isError: true, body: { code: "APPROVAL_NEEDED" } });
  const page = new URL(asked.body.approveAt).pathname;
  expect(await (await browser.get("/app")).text()).toContain(page);
  await browser.submit(page, { intent: "approve-call" });

  expect(await run(client, "deleteRepository", { id, version: 1 })).toMatchObject({
    isError: false,
    text: "Done",
  });
  expect((await run(client, "getRepository", { id })).body.code).toBe("REPOSITORY_NOT_FOUND");
  const { results } = await gatehouse.d1
    .prepare("SELECT action FROM audit_event WHERE target_id = ? ORDER BY created_at")
    .bind(id)
    .all();
  expect(results).toEqual([{ action: "repository.deleted" }]);
});

test("an agent sees only what its user may", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const { client } = await anAgentOf(browser);

  expect(await namesOf(client)).toEqual(["getMe", "getRepository", "listRepositories"]);
  await expect(run(client, "createRepository")).rejects.toThrow("no tool");
  await expect(run(client, "getRepository")).rejects.toThrow("missing");
});

test("a part of a path leads to no other call", async () => {
  const admin = await aUser(gatehouse, { role: "admin" });
  const { secret } = await aKey(gatehouse, admin);
  const client = await connectWith({ authorization: `Bearer ${secret}` });
  const { id } = await aRepository(gatehouse);

  for (const organization of [".", "..", ""]) {
    const fields = { id, organization, version: 1 };
    await expect(run(client, "unshareRepository", fields)).rejects.toThrow("missing");
  }
  for (const part of ["../events", "..%2Fevents", "a?b=c", "#"]) {
    expect((await run(client, "getRepository", { id: part })).isError).toBe(true);
  }
  expect((await run(client, "getRepository", { id })).body).toMatchObject({ id });
});

test("a key is a way in too, with the calls that it may make", async () => {
  const admin = await aUser(gatehouse, { role: "admin" });
  const { secret } = await aKey(gatehouse, admin, { permissions: { repository: ["read"] } });
  for (const [name, value] of [
    ["authorization", `Bearer ${secret}`],
    ["x-api-key", secret],
  ] as const) {
    const client = await connectWith({ [name]: value });
    expect(await namesOf(client)).toEqual(["getMe", "getRepository", "listRepositories"]);
  }

  const { organization } = await anOrganization(gatehouse, {}, { owner: admin });
  const { secret: shared } = await aKey(gatehouse, admin, {
    organization_id: organization.id,
    permissions: ORGANIZATION_SCOPES,
  });
  const names = await namesOf(await connectWith({ authorization: `Bearer ${shared}` }));
  expect(names).toEqual(expect.arrayContaining(["getMe", "shareRepository"]));
  expect(names).not.toContain("createRepository");
});

test("each tool says what it takes", async () => {
  const { browser } = await aSignedInUser(gatehouse, { role: "admin" });
  const { client } = await anAgentOf(browser);

  const { tools } = await client.listTools();
  const tool = (name: string) => tools.find((one) => one.name === name);

  expect(tool("deleteRepository")).toMatchObject({
    inputSchema: { required: ["id", "version"] },
    annotations: { readOnlyHint: false, destructiveHint: true },
    description: expect.stringContaining("must approve"),
  });
  expect(tool("listRepositories")).toMatchObject({
    inputSchema: { properties: { searchTerm: { type: "string" } } },
    annotations: { readOnlyHint: true },
  });
  expect(tool("createRepository")?.inputSchema.required).toEqual(
    expect.arrayContaining(["name", "link"]),
  );
});

describe("without a token that counts", () => {
  const ask = (headers: Record<string, string>) =>
    fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers } });

  test.each<[string, Record<string, string>]>([
    ["none", {}],
    ["an unknown one", { authorization: `Bearer ${"a".repeat(32)}` }],
    ["an unknown key", { authorization: `Bearer gh_${"0".repeat(64)}` }],
    ["a signed one", { authorization: "Bearer a.b.c" }],
  ])("%s: the answer says where one is to be had", async (_, headers) => {
    const answer = await ask(headers);

    expect(answer.status).toBe(401);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("www-authenticate")).toContain(
      `resource_metadata="${gatehouse.origin}${RESOURCE_METADATA}${MCP}"`,
    );
  });

  test.each(RESOURCES)("the metadata of %s names the server and the scopes", async (path) => {
    const answer = await newBrowser(gatehouse).get(RESOURCE_METADATA + path);

    expect(await answer.json()).toMatchObject({
      resource: gatehouse.origin + path,
      authorization_servers: [gatehouse.origin],
      scopes_supported: expect.arrayContaining(CALLS),
    });
  });

  test("no other path has metadata", async () => {
    expect((await newBrowser(gatehouse).get(`${RESOURCE_METADATA}/other`)).status).toBe(404);
  });
});

test("no stream is opened, and no session kept", async () => {
  const { secret } = await aKey(gatehouse, await aUser(gatehouse));
  const headers = { authorization: `Bearer ${secret}` };
  for (const method of ["GET", "DELETE", "PUT"]) {
    const answer = await fetch(url, { method, headers });
    expect(answer.status).toBe(405);
    await answer.arrayBuffer();
  }
});

describe("a message that is none", () => {
  test.each<[string, string, number]>([
    ["no JSON", "{", 400],
    ["another kind of JSON", '"text"', 400],
    ["many at once", JSON.stringify([{ jsonrpc: "2.0", id: 1, method: "ping" }]), 400],
    ["no method", '{"jsonrpc":"2.0","id":1}', 400],
    ["too large", JSON.stringify({ text: "x".repeat(20_000) }), 413],
  ])("%s", async (_, body, status) => {
    const admin = await aUser(gatehouse, { role: "admin" });
    const { secret } = await aKey(gatehouse, admin);

    const answer = await fetch(url, {
      method: "POST",
      body,
      headers: {
        authorization: `Bearer ${secret}`,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
      },
    });

    expect(answer.status).toBe(status);
    await answer.arrayBuffer();
  });
});

test("an agent whose access was ended must ask again", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const { client } = await anAgentOf(browser);
  await client.listTools();

  await browser.submit("/app/account/apps", { intent: "end-app", app: agent.clientId });

  await expect(client.listTools()).rejects.toThrow();
  const { provider } = aProvider(agent);
  expect(await auth(provider, { serverUrl: url })).toBe("REDIRECT");
});
