import { href } from "react-router";
import type { Host } from "../../feature.server.ts";

const PURPOSE = "app picture";

/** Returns a URL of a user's picture that an app can show. It ends with the picture. */
export async function pictureUrl(
  { keys, config }: Pick<Host, "keys" | "config">,
  avatar: string,
): Promise<string> {
  const path = href("/connected-apps/pictures/:id", { id: avatar });
  return `${config.baseUrl}${path}?key=${await keys.mac(PURPOSE, avatar)}`;
}

/** True for a URL that an app was told. */
export function isPictureKey(keys: Host["keys"], avatar: string, key: string): Promise<boolean> {
  return keys.verifyMac(PURPOSE, avatar, key);
}
