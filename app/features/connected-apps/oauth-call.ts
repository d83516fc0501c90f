import { PROVIDER } from "./provider-paths.ts";

export type OAuthError = { status: number; error: string; description: string };

/**
 * Returns a call in which the app's secret stands in the header, where the provider expects it.
 * Libraries send it in either place. Undefined when it is in both. Source: RFC 6749, 2.3.
 */
export function withBasic(
  form: URLSearchParams,
  authorization: string | null,
): { body: URLSearchParams; headers: Record<string, string> } | undefined {
  const [id, secret] = [form.get("client_id"), form.get("client_secret")];
  if (authorization) {
    return secret === null ? { body: form, headers: { Authorization: authorization } } : undefined;
  }
  if (!id || !secret) return { body: form, headers: {} };
  const body = new URLSearchParams(form);
  body.delete("client_secret");
  const credentials = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
  return { body, headers: { Authorization: `Basic ${btoa(credentials)}` } };
}

/** Errors of the provider that the specifications call otherwise, by their description. */
const MISNAMED: Readonly<Record<string, string>> = {
  // RFC 7636, 4.6
  "code verification failed": "invalid_grant",
  "code_verifier required because PKCE was used in authorization": "invalid_grant",
  "code_verifier provided but PKCE was not used in authorization": "invalid_grant",
  // RFC 6749, 5.2: what the grant stands for is no longer there.
  "session no longer exists": "invalid_grant",
  "missing user, user may have been deleted": "invalid_grant",
};

/** Returns the refusal of a call as its specification words it. Sources: RFC 6749, 5.2; RFC 6750, 3.1. */
export function refusalOf(path: string, status: number, body: unknown): OAuthError {
  const { error, error_description: description } = membersOf(body);
  const named = MISNAMED[description] ?? error;
  if (path.startsWith(PROVIDER.userinfo)) {
    return {
      status: 401,
      error: named || "invalid_token",
      description: description || "The token is not valid",
    };
  }
  const isClient = named === "invalid_client";
  const known = status >= 500 ? "server_error" : named || "invalid_request";
  return {
    status: status >= 500 ? 500 : isClient ? 401 : 400,
    error: known,
    description: description || "The call is not valid",
  };
}

/** A token that RS256 has signed with a key of 2,048 bits. */
const SIGNED = /^([\w-]+)\.[\w-]+\.[\w-]{342}$/;

/** True for a signed token that no key of ours can have signed. The provider would fail at it. */
export function isForeignToken(token: string | null): boolean {
  if (!token?.includes(".")) return false;
  const [, header] = SIGNED.exec(token) ?? [];
  if (header === undefined) return true;
  try {
    const { alg }: { alg?: unknown } = JSON.parse(
      atob(header.replaceAll("-", "+").replaceAll("_", "/")),
    );
    return alg !== "RS256";
  } catch {
    return true;
  }
}

function membersOf(body: unknown): { error: string; error_description: string } {
  const members = typeof body === "object" && body !== null ? body : {};
  const textOf = (name: string) => {
    const value: unknown = Reflect.get(members, name);
    // A quoted header value has no quotes and no line breaks.
    return typeof value === "string" ? value.replace(/["\\\r\n]/g, "'").slice(0, 300) : "";
  };
  return { error: textOf("error"), error_description: textOf("error_description") };
}
