import { z } from "zod";
import { hidden } from "../../http/form-fields.ts";
import { TERMS_VERSION_MAX_LENGTH } from "../../values/limits.ts";

/** Fields of `AcceptField`. A route refuses a form without the checkbox when there is a version to accept. */
export const acceptFields = {
  accept: z.literal("yes", { error: "validation:terms.required" }).optional(),
  termsVersion: hidden(z.string().max(TERMS_VERSION_MAX_LENGTH).optional()),
};

/** Message beside the checkbox of a form that was sent without it. */
export const NOT_ACCEPTED = { accept: ["validation:terms.required"] };
