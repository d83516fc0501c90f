import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterAll, expect, test } from "vitest";
import { statementsOn } from "../../../../tests/support/insert.ts";
import { aSignedInUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { APP_SCOPES } from "../../connected-apps/scopes.ts";
import { aDocument, startAppSite } from "../../connected-apps/tests/app-sites.ts";
import { allow } from "../../connected-apps/tests/relying-party.ts";
import { MCP, RESOURCE_METADATA } from "../mcp-paths.ts";

// Agents that nobody here knows, with the client of the official SDK. Source: Model Context Protocol
// 2025-11-25, Authorization.

const site = await startAppSite();
const gatehouse = await startGatehouse({ standIns: site.standIns });
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await gatehouse[Symbol.asyncDispose]();
});
const run = statementsOn(gatehouse);
const REDIRECT_URI = "http://127.0.0.1:33418/callback";
const url = new URL(MCP, gatehouse.origin);

/** Lets apps register themselves in one way, and ask for all that there is. */
async function open(way: "by_call" | "by_document"): Promise<void> {
  const known = await fetch(gatehouse.origin + RESOURCE_METADATA + MCP, {
    headers: { connection: "close" },
  });
  const { scopes_supported: calls } = (await known.json()) as { scopes_supported: string[] };
  const scopes = JSON.stringify([...APP_SCOPES, ...calls]);
  await run(
    "UPDATE oauth_registration_setting SET by_call = 0, by_document = 0, scopes = ?",
    scopes,
  );
  await run(`UPDATE oauth_registration_setting SET ${way} = 1`);
}

/** What a new agent keeps. `document` is the URL of its document, if it has one. */
function anAgent(document?: string) {
  const kept: {
    client?: OAuthClientInformationMixed;
    tokens?: OAuthTokens;
    verifier?: string;
    asked?: URL;
  } = {};
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT_URI,
    ...(document !== undefined && { clientMetadataUrl: document }),
    clientMetadata: {
      client_name: "Assistant",
      redirect_uris: [REDIRECT_URI],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (asked) => {
      kept.asked = asked;
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? "",
  };
  return { provider, kept };
}

/** Signs a new agent in as its SDK does, and calls the API. Returns its client ID and whose data it gets. */
async function signIn(document?: string) {
  const { user, browser } = await aSignedInUser(gatehouse, { role: "admin" });
  const { provider, kept } = anAgent(document);
  const transport = new StreamableHTTPClientTransport(url, { authProvider: provider });
  const client = new Client({ name: "agent", version: "1.0.0" });
  await expect(client.connect(transport as Transport)).rejects.toThrow();
  const asking = { url: kept.asked ?? url, verifier: "", state: "", nonce: "" };
  const away = await allow(gatehouse, browser, asking);
  await transport.finishAuth(away.searchParams.get("code") ?? "");

  const signedIn = new StreamableHTTPClientTransport(url, { authProvider: provider });
  const agent = new Client({ name: "agent", version: "1.0.0" });
  await agent.connect(signedIn as Transport);
  const answer = await agent.callTool({ name: "getMe", arguments: {} });
  const [part] = answer.content as { text: string }[];
  return { user, clientId: kept.client?.client_id, me: JSON.parse(part?.text ?? "null") };
}

test("an agent that nobody knows registers itself, and calls the API for its user", async () => {
  await open("by_call");

  const { user, clientId, me } = await signIn();

  expect(me).toMatchObject({ id: user.id });
  expect(clientId).toMatch(/^[0-9a-f]{32}$/);
});

test("an agent that has a document does so without registering", async () => {
  await open("by_document");
  const document = site.newUrl();
  site.answer(document, aDocument(document, { redirect_uris: [REDIRECT_URI] }));

  const { user, clientId, me } = await signIn(document);

  expect(me).toMatchObject({ id: user.id });
  expect(clientId).toBe(document);
  expect(site.timesAsked(document)).toBe(1);
});
