import type { Keys } from "../../../runtime/keys.server.ts";

const PURPOSE = "invitation-link";

/** What follows before the token in the path of an invitation link; `routes.ts` has the URL. */
const PATH = "/invitations/links/";

/** Returns the id of a link from its token; undefined for a token that this product has not made. */
async function readLinkToken(keys: Keys, token: string): Promise<string | undefined> {
  const [id = "", mac = ""] = token.split(".");
  return (await keys.verifyMac(PURPOSE, id, mac)) ? id : undefined;
}

/** Returns the id of a link from the path that a sign-in leads to; undefined for any other path. */
export async function linkIdOf(keys: Keys, page: string | undefined): Promise<string | undefined> {
  if (!page?.startsWith(PATH)) return undefined;
  return readLinkToken(keys, page.slice(PATH.length).split(/[/?#]/)[0] ?? "");
}
