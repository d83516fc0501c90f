import { z } from "zod";
import { hidden } from "../../http/form-fields.ts";
import { HttpsUrl } from "../../values/https-url.ts";
import { TERMS_VERSION_MAX_LENGTH } from "../../values/limits.ts";
import { DOMAINS_AT_MOST, SIGN_UP_MODES } from "./choices.ts";
import { readDomain } from "./email-domain.ts";

/** A checkbox: a browser posts nothing for one that is not checked. */
const Check = z
  .literal("yes")
  .optional()
  .transform((value) => value === "yes");

/** Domains, one a line, as sorted ASCII names without duplicates. */
const Domains = z
  .string()
  .optional()
  .transform((text = "", context) => {
    const names = text.split(/[\s,;]+/).filter(Boolean);
    const wrong = names.find((name) => readDomain(name) === undefined);
    if (wrong !== undefined) {
      const search = new URLSearchParams({ domain: wrong.slice(0, 100) });
      context.addIssue({ code: "custom", message: `settings:domains.invalid?${search}` });
      return z.NEVER;
    }
    const domains = [...new Set(names.map((name) => readDomain(name) ?? ""))].sort();
    if (domains.length > DOMAINS_AT_MOST) {
      const message = `settings:domains.tooMany?maximum=${DOMAINS_AT_MOST}`;
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }
    return domains;
  });

/** Form data of the access screen. Without a choice the mode is the environment's. */
export const AccessInput = z.object({
  signUpMode: z
    .enum(SIGN_UP_MODES)
    .optional()
    .transform((mode) => mode ?? null),
  organizationsAdmit: Check,
  allowedDomains: Domains,
  blockedDomains: Domains,
  termsUrl: HttpsUrl,
  privacyUrl: HttpsUrl,
  termsVersion: z
    .string()
    .trim()
    .max(TERMS_VERSION_MAX_LENGTH, {
      error: `validation:tooLong?maximum=${TERMS_VERSION_MAX_LENGTH}`,
    })
    .optional()
    .transform((version) => version || null),
});

export type AccessInput = z.infer<typeof AccessInput>;

/** Holds the version that the form was loaded with, so that a save cannot overwrite changes its author has not seen. */
export const AccessUpdate = AccessInput.extend({
  version: hidden(z.coerce.number().int()),
  /** The consequences that the manager has read: see `agreementTo`. */
  agreed: hidden(z.string().max(200).default("")),
}).superRefine(({ allowedDomains, blockedDomains }, context) => {
  const both = blockedDomains.find((domain) => allowedDomains.includes(domain));
  if (both === undefined) return;
  const message = `settings:domains.both?${new URLSearchParams({ domain: both })}`;
  context.addIssue({ code: "custom", path: ["blockedDomains"], message });
});
