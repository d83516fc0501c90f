import { isLoopbackHost } from "./loopback.ts";
import { domainOf } from "./registrable-domain.ts";

export type OutsideRefusal =
  | "invalid"
  | "notHttps"
  | "credentials"
  | "port"
  | "ipAddress"
  | "notPublic"
  | "own"
  | "ownDomain";

/** Names that no public DNS has, or that mean the machine or the network that asks. */
const NOT_PUBLIC = [
  ...["localhost", "local", "localdomain", "internal", "intranet", "private", "corp", "home"],
  ...["lan", "arpa", "test", "invalid", "example", "onion", "alt", "svc", "cluster", "consul"],
];

/** Public names that always lead to the machine or the network that asks. */
const LOOPBACK_NAMES = [
  "localtest.me",
  "lvh.me",
  "vcap.me",
  "lacolhost.com",
  "nip.io",
  "sslip.io",
  "xip.io",
];

type OutsideRules = {
  /** Hosts of the site's own domain that may be reached. */
  allowedHosts?: readonly string[];
  /** True on a local site, which may reach others on the same machine. */
  isLocal?: boolean;
};

type ReadUrl = { ok: true; url: string } | { ok: false; why: OutsideRefusal };

/**
 * Returns a URL that somebody typed and that the product may ask, in its normal form, or why it may
 * not. Only public names
 * at the port of https: every IP address is refused, however it is written, because `URL` turns all
 * notations into one. No host of the domain that `ownOrigin` is in: the operator's other servers
 * may trust what comes from there. `allowedHosts` names exceptions, but never the product itself.
 * On a local site, loopback hosts are allowed too, with http and any port but the site's own.
 *
 * The host is checked first, so that a refusal names the problem that cannot be fixed by another
 * scheme or port. What a name resolves to is not checked here: the platform connects to public
 * addresses only (decision 180).
 * @public For features, of which there may be none.
 */
export function readOutsideUrl(
  text: string,
  ownOrigin: string,
  { allowedHosts = [], isLocal = false }: OutsideRules = {},
): ReadUrl {
  const url = parse(text.trim());
  if (!url) return { ok: false, why: "invalid" };
  if (url.protocol !== "https:" && url.protocol !== "http:") return { ok: false, why: "notHttps" };
  url.hash = "";
  if (isLocal && isLoopbackHost(url.hostname)) return readLoopback(url, new URL(ownOrigin));
  const host = withoutRoot(url.hostname);
  if (isAddress(host)) return { ok: false, why: "ipAddress" };
  if (!isPublicName(host)) return { ok: false, why: "notPublic" };
  if (url.protocol !== "https:") return { ok: false, why: "notHttps" };
  if (url.username || url.password) return { ok: false, why: "credentials" };
  if (url.port) return { ok: false, why: "port" };
  const own = withoutRoot(new URL(ownOrigin).hostname);
  if (host === own) return { ok: false, why: "own" };
  if (isBelow(host, domainOf(own)) && !allowedHosts.includes(host)) {
    return { ok: false, why: "ownDomain" };
  }
  url.hostname = host;
  return { ok: true, url: url.href };
}

/** Reads a URL on the machine of a local site. */
function readLoopback(url: URL, own: URL): ReadUrl {
  if (url.username || url.password) return { ok: false, why: "credentials" };
  // At this port every loopback name is the site itself.
  return url.port === own.port ? { ok: false, why: "own" } : { ok: true, url: url.href };
}

/** Removes the dots of the DNS root at the end of a name. */
function withoutRoot(hostname: string): string {
  return hostname.replace(/\.+$/, "");
}

/** True for an IP address, and for a name that carries one. */
function isAddress(host: string): boolean {
  // `URL` writes IPv6 in brackets and IPv4 in dotted digits.
  return host.startsWith("[") || /^[\d.]+$/.test(host) || carriesAddress(host);
}

function isPublicName(host: string): boolean {
  const labels = host.split(".");
  if (labels.length < 2 || labels.includes("")) return false;
  if (NOT_PUBLIC.includes(labels.at(-1) ?? "")) return false;
  // The names at which clouds tell a machine its keys.
  if (/^(instance-data|metadata)$/.test(labels[0] ?? "")) return false;
  return !LOOPBACK_NAMES.some((name) => isBelow(host, name));
}

/**
 * True for a name with an IP address in it, which some services resolve to that address: 10.0.0.1.example.org,
 * app-10-0-0-1.example.org, 7f000001.example.org, --1.example.org.
 */
function carriesAddress(host: string): boolean {
  if (/(^|[.-])(\d{1,3}[.-]){3}\d{1,3}([.-]|$)/.test(host)) return true;
  return host.split(".").some((label) => isPrivateInHex(label) || isIpv6(label));
}

/** True for a label that ends in an IPv4 address of this machine or a private network, in hex. */
function isPrivateInHex(label: string): boolean {
  const hex = /(?:^|-)(?:0x)?([\da-f]{8})$/.exec(label)?.[1] ?? "";
  return /^(00|0a|7f|a9fe|ac1|c0a8|64[4-7])/.test(hex);
}

/** True for a label that is an IPv6 address with hyphens in place of its colons. */
function isIpv6(label: string): boolean {
  const parts = label.split("-");
  return (
    parts.every((part) => /^[\da-f]{0,4}$/.test(part)) &&
    (parts.length === 8 || (parts.length > 2 && label.includes("--")))
  );
}

/** True for a name and for all names below it. */
function isBelow(host: string, name: string): boolean {
  return host === name || host.endsWith(`.${name}`);
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
