import { z } from "zod";
import { hidden } from "../../../http/form-fields.ts";
import { safeRedirect } from "../../../http/safe-redirect.ts";
import { Email } from "../../../values/email.ts";
import { CAPTCHA_FIELD, CODE_LENGTH, LINK_KEY, normalizeCode, readLink } from "../codes/code.ts";

/** Messages of the specification, in its order: required, exactly 6 characters, valid. */
export const Code = z
  .string({ error: "validation:code.required" })
  .max(100, { error: "validation:code.length", abort: true })
  .transform(normalizeCode)
  .pipe(
    z
      .string()
      .min(1, { error: "validation:code.required", abort: true })
      .length(CODE_LENGTH, { error: "validation:code.length", abort: true })
      .regex(/^\d+$/, { error: "validation:code.invalid" }),
  );

/** What signs in: a code, or the key of the link in its mail. */
export const SignInSecret = z.union([z.string().trim().regex(LINK_KEY), Code]);

const captchaToken = hidden(z.string().max(4_096).optional());

export const LoginForm = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("email"),
    email: Email,
    // The e-mail that looked like a typo, and that the form has already asked about.
    asTyped: hidden(Email.optional().catch(undefined)),
    [CAPTCHA_FIELD]: captchaToken,
  }),
  z.object({ intent: z.literal("social"), provider: hidden(z.string().max(50)) }),
]);

export const VerifySearch = z.object({
  email: Email.optional().catch(undefined),
  redirect: z.unknown().transform(safeRedirect).optional(),
});

/** Forms of a screen that confirms something with a code. */
export const VerifyForm = z.discriminatedUnion("intent", [
  // On a screen with several steps, the step that the form belongs to.
  z.object({ intent: z.literal("verify"), code: Code, step: z.string().max(20).optional() }),
  z.object({ intent: z.literal("resend"), [CAPTCHA_FIELD]: captchaToken }),
]);

export const SignInForm = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("verify"),
    code: Code,
    /** From the link of the mail, which has filled in the code. */
    key: hidden(z.string().regex(LINK_KEY).optional()),
  }),
  // The whole link, pasted.
  z.object({
    intent: z.literal("link"),
    mailLink: z
      .string({ error: "validation:mailLink.invalid" })
      .max(4_096, { error: "validation:mailLink.invalid" })
      // A user may copy only the key of the link.
      .transform((link) => readLink(link)?.key ?? LINK_KEY.exec(link.trim())?.[0])
      .pipe(z.string({ error: "validation:mailLink.invalid" })),
  }),
  z.object({ intent: z.literal("resend"), [CAPTCHA_FIELD]: captchaToken }),
]);

export type VerifyForm = z.infer<typeof VerifyForm>;

/** Bytes as WebAuthn's JSON encodes them. */
function base64url(maxLength: number) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[\w-]+$/);
}

/** The longest credential id has 1,023 bytes (WebAuthn, section 4). */
const credentialId = base64url(1_364);
const extensionResults = z.record(z.string().max(50), z.unknown()).optional();

/**
 * The first bytes of an attestation object of the formats "none" and "packed", in base64url: `{"fmt": "none",
 * "attStmt"…`. Other formats contain certificates, and verifying them fetches the revocation lists they name, from any
 * URL.
 */
const ALLOWED_ATTESTATION = /^o2NmbXR(?:kbm9uZWdh|mcGFja2Vk)/;
/** An empty map in place of other formats: the plugin refuses it and invalidates the challenge. */
const NO_ATTESTATION = "oA";

/** Result of `PublicKeyCredential.toJSON()` for a new passkey, without unneeded fields. */
export const PasskeyRegistration = z.object({
  response: z.object({
    id: credentialId,
    rawId: credentialId,
    type: z.literal("public-key"),
    clientExtensionResults: extensionResults,
    response: z.object({
      clientDataJSON: base64url(4_096),
      attestationObject: base64url(8_192).transform((value) =>
        ALLOWED_ATTESTATION.test(value) ? value : NO_ATTESTATION,
      ),
      transports: z
        .array(z.string().regex(/^[a-z-]{1,20}$/))
        .max(10)
        .optional(),
    }),
  }),
});

/** Result of `PublicKeyCredential.toJSON()` for a passkey that signs in. */
export const PasskeyAssertion = z.object({
  response: z.object({
    id: credentialId,
    rawId: credentialId,
    type: z.literal("public-key"),
    clientExtensionResults: extensionResults,
    response: z.object({
      clientDataJSON: base64url(4_096),
      authenticatorData: base64url(2_048),
      signature: base64url(1_024),
      userHandle: base64url(128).nullish(),
    }),
  }),
});
