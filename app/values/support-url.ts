import { z } from "zod";
import { Email } from "./email.ts";
import { isHttpsUrl } from "./https-url.ts";
import { URL_MAX_LENGTH } from "./limits.ts";

/**
 * Returns the `mailto:` link of an e-mail; undefined for anything else, such as a link with a
 * subject or further recipients.
 */
function mailLink(typed: string): string | undefined {
  const email = Email.safeParse(typed.replace(/^mailto:/i, ""));
  return email.success ? `mailto:${email.data}` : undefined;
}

/**
 * The place where people get help: an https URL, or an e-mail, which becomes a `mailto:` link. An
 * empty field means the default from the environment.
 */
export const SupportUrl = z
  .string()
  .trim()
  .max(URL_MAX_LENGTH, { error: `validation:tooLong?maximum=${URL_MAX_LENGTH}`, abort: true })
  .transform((typed) => mailLink(typed) ?? typed)
  .refine((url) => mailLink(url) !== undefined || isHttpsUrl(url), {
    error: "settings:brand.supportUrlInvalid",
  })
  .optional()
  .transform((url) => url ?? null);
