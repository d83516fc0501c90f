import { APP_URL_MAX_LENGTH, MAX_APIS, MAX_REDIRECT_URIS } from "./limits.ts";

/** An app with a server keeps a secret; a public one, in a browser or on a device, cannot. */
export const APP_KINDS = ["server", "public"] as const;

export type AppKind = (typeof APP_KINDS)[number];

/** Why a redirect URI is refused. */
export type UriRefusal =
  | "tooLong"
  | "invalid"
  | "fragment"
  | "wildcard"
  | "scheme"
  | "userInfo"
  | "spelling";

/** `line` counts from 1; `written` is the URI as it must be spelled. */
type Refused = { ok: false; why: UriRefusal; line: number; written?: string | undefined };

type Uris = { ok: true; uris: string[] } | { ok: false; why: "tooMany" } | Refused;

/** The own machine. Names that stand for it, such as `localhost.`, are others. */
const LOOPBACK: readonly string[] = ["127.0.0.1", "[::1]", "localhost"];

/**
 * A scheme of an app on a device: the name of a domain in reverse, such as `com.example.app`, and
 * one slash. Source: RFC 8252, 7.1.
 */
const PRIVATE_USE = /^[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+:\/(?!\/)/;

/**
 * Reads the typed redirect URIs of an app, one on each line. Each must be spelled as browsers spell
 * it, because it is compared with what the app sends, character by character. A repeated one counts
 * once. Sources: OpenID Connect Registration 1.0, 2; RFC 9700, 2.1; RFC 8252, 7.
 */
export function readRedirectUris(typed: string, kind: AppKind): Uris {
  return readUris(typed, kind, MAX_REDIRECT_URIS);
}

/**
 * Reads the typed URLs of servers for which an app gets tokens. A token names its server by this
 * URL, and the server compares it character by character. Sources: RFC 8707, 2; RFC 9068, 3.
 */
export function readApiUrls(typed: string): Uris {
  return readUris(typed, "server", MAX_APIS);
}

function readUris(typed: string, kind: AppKind, maximum: number): Uris {
  const uris = new Set<string>();
  for (const [index, line] of typed.split(/\r\n?|\n/).entries()) {
    // Around one that was copied from a message are signs that isolate it.
    const uri = line.replace(/^[\s\u2066]+|[\s\u2069]+$/g, "");
    if (uri === "") continue;
    const refused = refusalOf(uri, kind);
    if (refused) return { ok: false, line: index + 1, ...refused };
    uris.add(uri);
  }
  return uris.size > maximum ? { ok: false, why: "tooMany" } : { ok: true, uris: [...uris] };
}

/** True for a redirect URI that an app without a server may have. */
export function isRedirectUri(uri: string): boolean {
  return refusalOf(uri, "public") === undefined;
}

/** True for a redirect URI that leads to the own machine. */
export function isOnOwnMachine(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === "http:" && LOOPBACK.includes(hostname);
}

function refusalOf(uri: string, kind: AppKind): Pick<Refused, "why" | "written"> | undefined {
  if (uri.length > APP_URL_MAX_LENGTH) return { why: "tooLong" };
  // Without white space and control characters, which the parser would take out or encode.
  if (/[\s\p{Cc}\p{Cf}]/u.test(uri) || !URL.canParse(uri)) return { why: "invalid" };
  if (uri.includes("#")) return { why: "fragment" };
  if (uri.includes("*")) return { why: "wildcard" };
  const url = new URL(uri);
  const { href } = url;
  // In a header, these end the source of `form-action` (Content Security Policy 3, 2.3.1).
  if (/[;,']/.test(url.host)) return { why: "invalid" };
  if (url.username !== "" || url.password !== "") return { why: "userInfo" };
  if (!isAllowed(url, kind)) return { why: "scheme" };
  // The parser adds a slash to a host alone, which may be left out.
  return href === uri || href === `${uri}/` ? undefined : { why: "spelling", written: href };
}

function isAllowed({ protocol, hostname, href }: URL, kind: AppKind): boolean {
  if (protocol === "https:") return true;
  if (protocol === "http:") return LOOPBACK.includes(hostname);
  return kind === "public" && PRIVATE_USE.test(href);
}

/** Returns the URL of an app's start page; undefined when what was typed is no such URL. */
export function readStartPage(typed: string): string | undefined {
  if (!URL.canParse(typed)) return undefined;
  const url = new URL(typed);
  const isWeb =
    isAllowed(url, "server") && url.username === "" && url.password === "" && !/\s/.test(typed);
  return isWeb && url.href.length <= APP_URL_MAX_LENGTH ? url.href : undefined;
}

/**
 * Returns the URL at which an app's server is told of the end of a session; undefined when what was
 * typed is no such URL. Source: OpenID Connect Back-Channel Logout 1.0, 2.2.
 */
export function readLogoutUri(typed: string): string | undefined {
  return typed.includes("#") ? undefined : readStartPage(typed);
}

/** An app is native when it returns to the own machine or to a scheme of its own. Source: as above. */
export function applicationTypeOf(kind: AppKind, uris: readonly string[]): "web" | "native" {
  const isNative = kind === "public" && uris.some((uri) => new URL(uri).protocol !== "https:");
  return isNative ? "native" : "web";
}
