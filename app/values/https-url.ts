import { z } from "zod";
import { URL_MAX_LENGTH } from "./limits.ts";

/** An https URL; an empty field means the default from the environment. */
export const HttpsUrl = z
  .string()
  .trim()
  .max(URL_MAX_LENGTH, { error: `validation:tooLong?maximum=${URL_MAX_LENGTH}`, abort: true })
  .pipe(z.url({ protocol: /^https$/, hostname: /[^.]\.[^.]/, error: "settings:terms.urlInvalid" }))
  .optional()
  .transform((url) => url ?? null);
