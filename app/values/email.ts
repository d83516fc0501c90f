import { z } from "zod";
import { EMAIL_MAX_LENGTH } from "./limits.ts";

/** An e-mail, trimmed and lower-cased, at most 254 characters (RFC 5321). */
export const Email = z
  .string({ error: "validation:email.required" })
  .trim()
  .min(1, { error: "validation:email.required", abort: true })
  .max(EMAIL_MAX_LENGTH, { error: `validation:tooLong?maximum=${EMAIL_MAX_LENGTH}`, abort: true })
  .toLowerCase()
  .pipe(z.email({ error: "validation:email.invalid" }));
