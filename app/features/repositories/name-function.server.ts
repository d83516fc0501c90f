import { z } from "zod";
import { define } from "../../server-functions/define.server.ts";
import { can } from "../access/permissions.ts";
import { isRepositoryNameFree } from "./repositories.server.ts";

/** What the form of a repository asks while its name is typed. */
export const REPOSITORY_FUNCTIONS = {
  "repository-name-availability": define({
    input: z.object({
      name: z
        .string()
        .trim()
        .min(1, { error: "validation:name.required" })
        .max(100, { error: "validation:tooLong?maximum=100" }),
      exceptId: z.string().max(64).optional(),
    }),
    isAllowed: ({ user }) => can(user, "repository", "create"),
    handle: async ({ db }, input) => ({ isAvailable: await isRepositoryNameFree(db, input) }),
  }),
};
