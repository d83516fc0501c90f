import { z } from "zod";
import { hidden } from "../../http/form-fields.ts";
import { SIGN_UP_MODES } from "./sign-up-modes.ts";

/** Form data of the access screen. An empty choice means the default from the environment. */
export const AccessInput = z.object({
  signUpMode: z
    .enum(SIGN_UP_MODES)
    .optional()
    .transform((mode) => mode ?? null),
});

export type AccessInput = z.infer<typeof AccessInput>;

/** Holds the version that the form was loaded with, so that a save cannot overwrite changes its author has not seen. */
export const AccessUpdate = AccessInput.extend({ version: hidden(z.coerce.number().int()) });
