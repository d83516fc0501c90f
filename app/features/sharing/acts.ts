import { type Act, actsOf, ownActs } from "../access/act.ts";

const SHARED: Pick<Act, "harmless"> = { harmless: "Every user reads the repositories." };
const OF_MANAGERS: Omit<Act, "name"> = { ...SHARED, permission: ["organization", "update"] };

/** What managers do, on the screens of a repository and of an organization. */
export const SHARING_ACTS = actsOf("repository", { share: OF_MANAGERS, unshare: OF_MANAGERS });

/** What members do in their organization. */
export const OWN_SHARING_ACTS = ownActs({ share: SHARED, unshare: SHARED });
