import { z } from "zod";
import { URL_MAX_LENGTH } from "./limits.ts";

const Url = z.url({
  protocol: /^https$/,
  hostname: /[^.]\.[^.]/,
  error: "settings:terms.urlInvalid",
});

export function isHttpsUrl(url: string): boolean {
  return Url.safeParse(url).success;
}

/** An https URL; an empty field means the default from the environment. */
export const HttpsUrl = z
  .string()
  .trim()
  .max(URL_MAX_LENGTH, { error: `validation:tooLong?maximum=${URL_MAX_LENGTH}`, abort: true })
  .pipe(Url)
  .optional()
  .transform((url) => url ?? null);
