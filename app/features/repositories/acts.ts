import { actsOf } from "../access/act.ts";

/** What managers do with repositories beside what one permission says: each deletion can be undone. */
export const REPOSITORY_ACTS = actsOf("repository", {
  delete: { permission: ["repository", "delete"] },
  restore: { permission: ["repository", "delete"] },
});
