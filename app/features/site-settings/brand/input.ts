import { z } from "zod";
import { hidden } from "../../../http/form-fields.ts";
import { byNameField } from "../../../i18n/name-fields.ts";
import { ACCENT_NAMES } from "../../../values/accents.ts";
import { HttpsUrl } from "../../../values/https-url.ts";
import { SupportUrl } from "../../../values/support-url.ts";
import {
  MAIL_FOOTER_MAX_LENGTH,
  PRODUCT_NAME_MAX_LENGTH,
  SENDER_NAME_MAX_LENGTH,
} from "./brand.ts";

/** Control characters and direction overrides, which could make a name look like another. */
const UNSAFE = /[\p{Cc}\u202a-\u202e\u2066-\u2069\ufffd]/u;

/** One line of text; null when the field is empty. */
function line(maximum: number) {
  return z
    .string()
    .transform((value) => value.normalize("NFC").trim().replace(/\s+/g, " "))
    .pipe(
      z
        .string()
        .max(maximum, { error: `validation:tooLong?maximum=${maximum}`, abort: true })
        .refine((value) => !UNSAFE.test(value) && value.isWellFormed(), {
          error: "validation:name.invalid",
        }),
    )
    .optional()
    .transform((value) => value || null);
}

export type BrandInput = z.infer<typeof BrandInput>;

/** Form data of the brand screen. An empty field means the default from the environment. */
export const BrandInput = z.object({
  name: line(PRODUCT_NAME_MAX_LENGTH),
  ...byNameField(() => line(PRODUCT_NAME_MAX_LENGTH)),
  accent: z
    .enum(ACCENT_NAMES)
    .optional()
    .transform((accent) => accent ?? null),
  helpUrl: HttpsUrl,
  supportUrl: SupportUrl,
  senderName: line(SENDER_NAME_MAX_LENGTH),
  mailFooter: line(MAIL_FOOTER_MAX_LENGTH),
});

/** Holds the version that the form was loaded with, so that a save cannot overwrite changes its author has not seen. */
export const BrandUpdate = BrandInput.extend({
  version: hidden(z.coerce.number().int()),
  logoLightRemoved: z.literal("yes").optional(),
  logoDarkRemoved: z.literal("yes").optional(),
  loginPictureRemoved: z.literal("yes").optional(),
});
