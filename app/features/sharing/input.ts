import { z } from "zod";
import { Id } from "../organizations/input.ts";

/** Forms of an organization's repositories. */
export const SharingForm = z.object({
  intent: z.enum(["share", "unshare"]),
  repository: Id,
});
