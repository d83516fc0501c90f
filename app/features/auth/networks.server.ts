import type { Keys } from "../../runtime/keys.server.ts";
import { type Networks, wideNetwork } from "../../values/client-network.ts";

/** Returns the keyed hashes by which limits and turns know where a request comes from. No IP address is stored. */
export async function networksOf(
  keys: Keys,
  limitedIpAddress: string | undefined,
): Promise<Networks> {
  const near = limitedIpAddress ?? "";
  const [wideHash, nearHash] = await Promise.all([
    keys.mac("network", wideNetwork(near)),
    keys.mac("network", near),
  ]);
  return { wide: wideHash, near: nearHash };
}
