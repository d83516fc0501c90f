import * as client from "openid-client";
import { expect } from "vitest";
import type { Browser } from "../../../../tests/support/client.ts";
import type { Gatehouse } from "../../../../tests/support/worker.ts";
import { hashSecret, newSecret } from "../client-secret.ts";
import { DEVICE_GRANT } from "../device-code.ts";
import { PROVIDER } from "../provider-paths.ts";
import { APP_SCOPES } from "../scopes.ts";
import { anApi, anApp } from "./apps.ts";

/** An app that signs people in with the product, as its own code would: with `openid-client`. */
export type App = Awaited<ReturnType<typeof aParty>>;

type AppFacts = {
  name?: string;
  isPublic?: boolean;
  isFirstParty?: boolean;
  isDisabled?: boolean;
  redirectUris?: string[];
  scopes?: readonly string[];
  /** The organization that it belongs to. */
  organizationId?: string;
  /** Where it is told that a session has ended. */
  logoutUri?: string;
  /** Other servers for which it may get tokens. */
  apis?: string[];
};

export const REDIRECT_URI = "https://shop.example.com/callback";
export const AFTER_SIGN_OUT = "https://shop.example.com/goodbye";

/** Registers an app. */
export async function aParty(gatehouse: Pick<Gatehouse, "d1">, facts: AppFacts = {}) {
  const { isPublic = false, redirectUris = [REDIRECT_URI], scopes = APP_SCOPES } = facts;
  const secret = isPublic ? undefined : newSecret();
  const row = await anApp(gatehouse, {
    client_secret: secret ? await hashSecret(secret) : null,
    name: facts.name ?? "Corner Shop",
    redirect_uris: JSON.stringify(redirectUris),
    post_logout_redirect_uris: JSON.stringify([AFTER_SIGN_OUT]),
    logout_uri: facts.logoutUri ?? null,
    scopes: JSON.stringify(scopes),
    token_endpoint_auth_method: isPublic ? "none" : "client_secret_basic",
    grant_types: JSON.stringify([
      ...["authorization_code", "refresh_token"],
      ...(isPublic ? [DEVICE_GRANT] : []),
    ]),
    skip_consent: facts.isFirstParty ? 1 : 0,
    disabled: facts.isDisabled ? 1 : 0,
    organization_id: facts.organizationId ?? null,
  });
  for (const api of facts.apis ?? []) await anApi(gatehouse, row, api);
  return {
    id: row.id,
    clientId: row.client_id,
    secret,
    redirectUri: redirectUris[0] ?? REDIRECT_URI,
  };
}

/** What the app knows of the product after it has read its metadata. */
export async function discover(
  gatehouse: Pick<Gatehouse, "origin">,
  { clientId, secret }: Pick<App, "clientId" | "secret">,
  authentication = secret ? client.ClientSecretBasic(secret) : client.None(),
): Promise<client.Configuration> {
  return client.discovery(new URL(gatehouse.origin), clientId, {}, authentication, {
    execute: [client.allowInsecureRequests],
  });
}

export type Asking = {
  url: URL;
  verifier: string;
  state: string;
  nonce: string;
};

/** Makes the URL to which an app sends its user. */
export async function ask(
  config: client.Configuration,
  { redirectUri }: Pick<App, "redirectUri">,
  parameters: Record<string, string> = {},
): Promise<Asking> {
  const [verifier, state, nonce] = [
    client.randomPKCECodeVerifier(),
    client.randomState(),
    client.randomNonce(),
  ];
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: "openid profile email offline_access",
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    nonce,
    ...parameters,
  });
  return { url, verifier, state, nonce };
}

/** Follows the product's redirects, and returns the page, or the URL outside to which it leads. */
export async function walk(
  gatehouse: Pick<Gatehouse, "origin" | "url">,
  browser: Browser,
  response: Response | Promise<Response>,
): Promise<{ page?: Response; path: string; away?: URL }> {
  let current = await response;
  let path = new URL(current.url).pathname + new URL(current.url).search;
  for (let count = 0; count < 10; count++) {
    const location = current.headers.get("location");
    if (location === null || current.status < 300) {
      const away = await refreshOf(current.clone());
      return away ? { path, away } : { page: current, path };
    }
    await current.arrayBuffer();
    const url = new URL(location, gatehouse.origin);
    if (url.origin !== gatehouse.origin) return { path, away: url };
    path = url.pathname + url.search;
    current = await browser.get(path);
  }
  throw new Error("Too many redirects");
}

/** Returns where a page leads by itself without JavaScript. */
async function refreshOf(page: Response): Promise<URL | undefined> {
  const [, url] = /http-equiv="refresh" content="0;url=([^"]+)"/i.exec(await page.text()) ?? [];
  return url === undefined ? undefined : new URL(url.replaceAll("&amp;", "&"));
}

/** Opens the URL of an app in a browser. */
export function open(
  gatehouse: Pick<Gatehouse, "origin" | "url">,
  browser: Browser,
  { url }: Pick<Asking, "url">,
) {
  return walk(gatehouse, browser, browser.get(url.pathname + url.search));
}

/** Lets a signed-in person sign in to an app, and returns where the app gets the code. */
export async function allow(
  gatehouse: Pick<Gatehouse, "origin" | "url">,
  browser: Browser,
  asking: Asking,
  fields: Record<string, string> = {},
): Promise<URL> {
  const asked = await open(gatehouse, browser, asking);
  if (asked.away) return asked.away;
  expect(asked.path).toContain("/app/connect?");
  expect(asked.page?.status).toBe(200);
  const answered = browser.submit(asked.path, { intent: "allow", ...fields });
  const { away } = await walk(gatehouse, browser, answered);
  if (!away) throw new Error("The person was not led back to the app");
  return away;
}

/** Exchanges the code of a redirect, as an app does. */
export function exchange(
  config: client.Configuration,
  away: URL,
  { verifier, state, nonce }: Asking,
) {
  return client.authorizationCodeGrant(config, away, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
}

/** Begins a sign-in of a device with all scopes. Returns the code that its person types. */
export async function aUserCode(
  gatehouse: Pick<Gatehouse, "origin">,
  { clientId }: Pick<App, "clientId">,
): Promise<string> {
  const answer = await fetch(gatehouse.origin + PROVIDER.device, {
    method: "POST",
    body: new URLSearchParams({ client_id: clientId, scope: APP_SCOPES.join(" ") }),
    headers: { connection: "close" },
  });
  const { user_code: code } = (await answer.json()) as { user_code: string };
  return code;
}
