import type { Keys } from "../../../runtime/keys.server.ts";

const PURPOSE = "invitation-link";

/** The path of an invitation link before its token; `routes.ts` has the URL. */
const PATH = "/invitations/links/";

/**
 * Returns the token in the URL of an invitation link: its id and a keyed hash of the id. Members
 * who may invite can copy it at any time, and the database alone is not enough to open it (decision
 * record 195).
 */
export async function linkToken(keys: Keys, id: string): Promise<string> {
  return `${id}.${await keys.mac(PURPOSE, id)}`;
}

/**
 * Returns the id of a link from its token; undefined for a token that this product has not made.
 */
export async function readLinkToken(keys: Keys, token: string): Promise<string | undefined> {
  const [id = "", mac = ""] = token.split(".");
  return (await keys.verifyMac(PURPOSE, id, mac)) ? id : undefined;
}

/** Returns the id of a link from the path that a sign-in leads to; undefined for any other path. */
export async function linkIdOf(keys: Keys, page: string | undefined): Promise<string | undefined> {
  if (!page?.startsWith(PATH)) return undefined;
  return readLinkToken(keys, page.slice(PATH.length).split(/[/?#]/)[0] ?? "");
}
