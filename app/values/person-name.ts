import { z } from "zod";
import { NAME_MAX_LENGTH } from "./limits.ts";

/** A name with something in it that `pattern` finds; see `PersonName`. */
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
          { error: "validation:name.invalid" },
        ),
    );
}

/**
 * A person's name: anything with a letter of any script, once trimmed and with runs of spaces as one. Control and
 * direction-override characters are refused: they could make a name read as another.
 */
export const PersonName = nameWith(/\p{L}/u);

/** What somebody calls a thing of their own: the same, and a number or a sign will do. */
export const OwnName = nameWith(/[\p{L}\p{N}\p{P}\p{S}]/u);
