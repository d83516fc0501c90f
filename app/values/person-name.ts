import { z } from "zod";
import { NAME_MAX_LENGTH } from "./limits.ts";

/** What mail programs take for a link. */
const LINK = /:\/\/|\bwww\.|\p{L}\.\p{L}+\//iu;

/** A name that matches `pattern`; see `PersonName`. */
function nameWith(pattern: RegExp) {
  return z
    .string({ error: "validation:name.required" })
    .transform((value) => value.normalize("NFC").trim().replace(/\s+/g, " "))
    .pipe(
      z
        .string()
        .min(1, { error: "validation:name.required", abort: true })
        .max(NAME_MAX_LENGTH, {
          error: `validation:tooLong?maximum=${NAME_MAX_LENGTH}`,
          abort: true,
        })
        .refine(
          (value) =>
            pattern.test(value) &&
            !/[\p{Cc}\u202a-\u202e\u2066-\u2069\ufffd]/u.test(value) &&
            value.isWellFormed(),
          { error: "validation:name.invalid", abort: true },
        )
        // Names stand in the subject of mails to strangers, and mail programs make links of what looks like one.
        .refine((value) => !LINK.test(value), { error: "validation:name.link" }),
    );
}

/**
 * A person's name with at least one letter of any script, trimmed and with single spaces. Control and
 * direction-override characters are refused, because they could make a name look like another.
 */
export const PersonName = nameWith(/\p{L}/u);

/** A user's name for a thing of their own: the same rules, but a number or a sign is enough. */
export const OwnName = nameWith(/[\p{L}\p{N}\p{P}\p{S}]/u);
