/**
 * Returns what the limits by IP address count for one client: an IPv4 address itself, and the /64
 * network of an IPv6 address, because one customer of a provider has all addresses of a /64. Text
 * that is no IPv6 address is returned as it is.
 */
export function clientNetwork(ipAddress: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ipAddress)?.[1];
  if (mapped) return mapped;
  if (!ipAddress.includes(":")) return ipAddress;
  const [before = "", after = ""] = ipAddress.split("::");
  const left = groupsOf(before);
  const right = groupsOf(after);
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  const network = [...left, ...(ipAddress.includes("::") ? zeros : []), ...right].slice(0, 4);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::`;
}

/**
 * Returns what limits of many requests count together: an IPv4 address itself, and the /48 network of an IPv6 address,
 * because one customer may have a /56 or a /48 with thousands of /64. `network` is a result of `clientNetwork`.
 */
export function wideNetwork(network: string): string {
  return network.includes(":") ? `${network.split(":").slice(0, 3).join(":")}::` : network;
}

/** Keyed hashes of where a request comes from: the IPv4 address or /48 network, and the IPv4 address or /64 network. */
export type Networks = { wide: string; near: string };

function groupsOf(text: string): string[] {
  return text === "" ? [] : text.split(":");
}
