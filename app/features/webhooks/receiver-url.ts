export type UrlRefusal = "invalid" | "notHttps" | "credentials" | "port" | "notPublic" | "own";

/** Names that no public DNS has, or that mean the machine or the network that asks. */
const NOT_PUBLIC = [
  ...["localhost", "local", "localdomain", "internal", "intranet", "private", "corp", "home"],
  ...["lan", "arpa", "test", "invalid", "example", "onion", "alt"],
];

/**
 * Returns a URL that may receive webhooks in its normal form, or why it may not. Only public names at the port of https:
 * every IP address is refused, however it is written, because `URL` turns all notations into one. `ownOrigin` is the
 * product's.
 *
 * What a name resolves to is not asked here: the platform connects to public addresses only (decision 180).
 */
export function readReceiverUrl(
  text: string,
  ownOrigin: string,
): { ok: true; url: string } | { ok: false; why: UrlRefusal } {
  const url = parse(text.trim());
  if (!url) return { ok: false, why: "invalid" };
  if (url.protocol !== "https:") return { ok: false, why: "notHttps" };
  if (url.username || url.password) return { ok: false, why: "credentials" };
  if (url.port) return { ok: false, why: "port" };
  const host = withoutRoot(url.hostname);
  if (!isPublicName(host)) return { ok: false, why: "notPublic" };
  if (isOwn(host, withoutRoot(new URL(ownOrigin).hostname))) return { ok: false, why: "own" };
  url.hostname = host;
  url.hash = "";
  return { ok: true, url: url.href };
}

/** Removes the dots of the DNS root at the end of a name. */
function withoutRoot(hostname: string): string {
  return hostname.replace(/\.+$/, "");
}

function isPublicName(host: string): boolean {
  // `URL` writes IPv6 in brackets and IPv4 in dotted digits.
  if (host.startsWith("[") || /^[\d.]+$/.test(host)) return false;
  const labels = host.split(".");
  if (labels.length < 2 || labels.includes("")) return false;
  if (NOT_PUBLIC.includes(labels.at(-1) ?? "")) return false;
  // The names at which clouds tell a machine its keys.
  if (/^(instance-data|metadata)$/.test(labels[0] ?? "")) return false;
  // Services that resolve 10.0.0.1.nip.io to the IP address in it.
  return !/(^|[.-])(\d{1,3}[.-]){3}\d{1,3}([.-]|$)/.test(host);
}

/** True for the product's own host and what is below it, and on workers.dev for all workers of its account. */
function isOwn(host: string, own: string): boolean {
  const site = own.endsWith(".workers.dev") ? own.slice(own.indexOf(".") + 1) : own;
  return host === site || host.endsWith(`.${site}`);
}

/** Returns a receiver's host, which is shown where its URL is not: some URLs hold a secret. */
export function receiverOf(url: string): string {
  return parse(url)?.hostname ?? "";
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
