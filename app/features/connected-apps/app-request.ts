import { isCallScope } from "./scopes.ts";

/** Parameters of an app's request that the provider reads. Others are left out. */
const KNOWN = [
  ...["response_type", "response_mode", "client_id", "redirect_uri", "scope", "state", "nonce"],
  ...["code_challenge", "code_challenge_method", "prompt", "max_age", "login_hint"],
  ...["id_token_hint", "ui_locales", "resource", "request", "request_uri"],
] as const;

/** When the product asked the person to sign in for the request, in milliseconds. Ours, beside the app's. */
const ASKED_AT = "asked_at";

/** What an app asks of the page that signs in, as its parameters. Source: OpenID Connect Core 1.0, 3.1.2.1. */
export type AppRequest = {
  search: URLSearchParams;
  scopes: readonly string[];
  prompts: ReadonlySet<string>;
  clientId: string;
  redirectUri: string;
  /** Undefined before the person was asked to sign in for it. */
  askedAt: Date | undefined;
};

export function readAppRequest(params: URLSearchParams): AppRequest {
  const search = new URLSearchParams();
  for (const name of KNOWN) for (const value of params.getAll(name)) search.append(name, value);
  const prompts = new Set(words(params.get("prompt")));
  // One account is signed in at a time. The page that asks for a consent also offers to sign out.
  if (prompts.delete("select_account")) prompts.add("consent");
  setPrompts(search, prompts);
  const asked = Number(params.get(ASKED_AT));
  return {
    search,
    prompts,
    scopes: words(params.get("scope")),
    clientId: params.get("client_id") ?? "",
    redirectUri: params.get("redirect_uri") ?? "",
    askedAt: asked > 0 ? new Date(asked) : undefined,
  };
}

/**
 * Returns the request without this site among the servers that the app wants tokens for. It needs
 * none of them for the API here: each access token is one. Source of the parameter: RFC 8707, 2.
 */
export function withoutThisSite(request: AppRequest, baseUrl: string): AppRequest {
  const search = new URLSearchParams(request.search);
  search.delete("resource");
  for (const one of request.search.getAll("resource")) {
    if (!isThisSite(one, baseUrl)) search.append("resource", one);
  }
  return { ...request, search };
}

/**
 * Returns the request with only those permissions of the API that the app may ask for: agents ask for
 * all that there are. Without a scope, it asks for all that it may. What else it asks for, the
 * provider decides. Source: RFC 6749, 3.3.
 */
export function narrowedTo(request: AppRequest, allowed: readonly string[]): AppRequest {
  const scopes = request.search.has("scope")
    ? request.scopes.filter((scope) => !isCallScope(scope) || allowed.includes(scope))
    : allowed;
  const isSame = scopes.length === request.scopes.length;
  // Without a scope, or with two, the provider refuses the request.
  const isRefused = scopes.length === 0 || request.search.getAll("scope").length > 1;
  if (isSame || isRefused) return request;
  const search = withParams(request.search, { scope: scopes.join(" ") });
  return { ...request, search, scopes };
}

/** True for a URL of this site, with which apps name the API here. */
export function isThisSite(resource: string, baseUrl: string): boolean {
  return resource === baseUrl || resource.startsWith(`${baseUrl}/`);
}

/** Returns the parameters for the page that signs in, with when the person was asked. */
export function searchAskedAt({ search }: AppRequest, at: Date): string {
  return `?${withParams(search, { [ASKED_AT]: String(at.getTime()) })}`;
}

/**
 * Returns the request of a person who has signed in since they were asked. The demands for a new
 * sign-in are met then; the app checks `auth_time`.
 */
export function metBy(request: AppRequest, provedAt: Date): AppRequest {
  const { askedAt, search } = request;
  if (!askedAt || provedAt < askedAt) return request;
  const met = new URLSearchParams(search);
  met.delete("max_age");
  const prompts = new Set(
    [...request.prompts].filter((one) => one !== "login" && one !== "create"),
  );
  setPrompts(met, prompts);
  return { ...request, search: met, prompts };
}

/** Returns the request with another prompt. */
export function withPrompt(request: AppRequest, prompt: string): AppRequest {
  const prompts = new Set([prompt]);
  const search = new URLSearchParams(request.search);
  setPrompts(search, prompts);
  return { ...request, search, prompts };
}

/** Returns the request without the wish for a consent, which was given. */
export function withConsent(request: AppRequest): AppRequest {
  const prompts = new Set([...request.prompts].filter((one) => one !== "consent"));
  const search = new URLSearchParams(request.search);
  setPrompts(search, prompts);
  return { ...request, search, prompts };
}

/** Where a redirect URI leads, as a source of `form-action`: an origin, or the scheme of an app on a device. */
export function formSourceOf(redirectUri: string): string | undefined {
  if (!URL.canParse(redirectUri)) return undefined;
  const { origin, protocol } = new URL(redirectUri);
  return origin === "null" ? protocol : origin;
}

function withParams(search: URLSearchParams, more: Record<string, string>): URLSearchParams {
  const all = new URLSearchParams(search);
  for (const [name, value] of Object.entries(more)) all.set(name, value);
  return all;
}

function setPrompts(search: URLSearchParams, prompts: ReadonlySet<string>): void {
  search.delete("prompt");
  if (prompts.size > 0) search.set("prompt", [...prompts].join(" "));
}

function words(text: string | null): string[] {
  return (text ?? "").split(" ").filter((word) => word !== "");
}
