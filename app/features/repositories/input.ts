import { z } from "zod";
import { hidden } from "../../http/form-fields.ts";
import { ChosenIds } from "../../lists/bulk/bulk-change.ts";
import { longText } from "../../values/record-fields.ts";
import { readWebUrl } from "../../values/web-url.ts";
import { cleanRepositoryName } from "./name.ts";
import {
  DESCRIPTION_MAX_LENGTH,
  LINK_MAX_LENGTH,
  LINK_MIN_LENGTH,
  REPOSITORY_NAME_MAX_LENGTH,
} from "./repository-limits.ts";

function tooLong(maximum: number) {
  return { error: `validation:tooLong?maximum=${maximum}`, abort: true };
}

/** A repository's name in any script, without invisible characters. The unique index decides whether it is free. */
const RepositoryName = z
  .string({ error: "validation:name.required" })
  .transform(cleanRepositoryName)
  .pipe(
    z
      .string()
      .min(1, { error: "validation:name.required", abort: true })
      .max(REPOSITORY_NAME_MAX_LENGTH, tooLong(REPOSITORY_NAME_MAX_LENGTH))
      .regex(/^\P{Cc}+$/u, { error: "validation:name.invalid" }),
  );

/**
 * Checks the rules of the specification in their order. Then makes the link absolute and allows only http and https.
 */
export const RepositoryLink = z
  .string({ error: "validation:link.required" })
  .trim()
  .min(1, { error: "validation:link.required", abort: true })
  .min(LINK_MIN_LENGTH, { error: `validation:link.short?min=${LINK_MIN_LENGTH}`, abort: true })
  .max(LINK_MAX_LENGTH, tooLong(LINK_MAX_LENGTH))
  .refine((link) => link.includes("."), { error: "validation:link.dot", abort: true })
  .transform((link, context) => {
    const url = readWebUrl(link, LINK_MAX_LENGTH);
    if (url !== undefined) return url;
    context.addIssue({ code: "custom", message: "validation:link.invalid" });
    return z.NEVER;
  });

export const RepositoryInput = z.object({
  name: RepositoryName,
  link: RepositoryLink,
  description: longText(DESCRIPTION_MAX_LENGTH),
});

export type RepositoryInput = z.infer<typeof RepositoryInput>;

/** Holds the version that the form was loaded with, so that a save cannot overwrite changes its author has not seen. */
export const RepositoryUpdate = RepositoryInput.extend({
  version: hidden(z.coerce.number().int()),
});

/** Form data of the repository list's bulk actions. */
export const RepositoriesChange = z.object({
  intent: z.enum(["delete", "restore"]),
  id: ChosenIds,
});
