import { href } from "react-router";
import { z } from "zod";
import { safeRedirect } from "../../../http/safe-redirect.ts";
import type { ErrorCode } from "../../../i18n/message-key.ts";
import { Email } from "../../../values/email.ts";
import type { SignInMethod } from "../../mail/mail-message.ts";
import type { OwnChange } from "../sessions/passkey-demand.ts";
import { SEND_CODE_PATH, SIGN_IN_PATH } from "../sign-in/code-guard.server.ts";
import { PASSKEY_CONFIRM_PATH, PASSKEY_SIGN_IN_PATH } from "../sign-in/passkey-call.server.ts";
import type { Sent } from "./auth-call.server.ts";
import {
  type GatewayCall,
  type GatewayRefusal,
  type GatewayResult,
  refusal,
} from "./gateway-call.ts";
import { Code, PasskeyAssertion, PasskeyRegistration, SignInSecret } from "./input.ts";
import {
  deleteUser,
  findOwnSession,
  type OwnOptions,
  revokeOwnSessions,
  sendProof,
  signOutByCall,
  stopImpersonating,
  verifyEmail,
} from "./own-endpoints.server.ts";

/** Marks a provider's redirect that ends the linking of an account. */
export const LINKING = "linking";

const Empty = z.unknown().transform(() => ({}));

/** Page to open after the sign-in. */
const next = z.unknown().transform(safeRedirect).optional();

type CodeRequest = z.infer<typeof CodeRequest>;
const CodeRequest = z.object({
  email: Email,
  /** The other one proves who the signed-in user is. */
  type: z.enum(["sign-in", "email-verification"]).default("sign-in"),
  redirect: next,
});

type Proof = z.infer<typeof Proof>;
const Proof = z.object({ email: Email, otp: Code });

type Credentials = z.infer<typeof Credentials>;
const Credentials = z.object({ email: Email, otp: SignInSecret, redirect: next });

type PasskeySignIn = z.infer<typeof PasskeySignIn>;
const PasskeySignIn = PasskeyAssertion.extend({ redirect: next });

type SocialSignIn = z.infer<typeof SocialSignIn>;
const SocialSignIn = z.object({
  provider: z.string().max(50),
  callbackURL: next,
});

type SocialLink = z.infer<typeof SocialLink>;
/** The server decides the page after the provider's redirect, not the client. */
const SocialLink = z.object({
  provider: z.string().max(50),
  area: z.enum(["app", "manager"]).default("app"),
});

type Deletion = z.infer<typeof Deletion>;
const Deletion = z.object({ otp: Code.optional() });

/** An endpoint that only reads, for clients. */
type Reading = {
  method: "GET";
  read: (options: OwnOptions, call: GatewayCall) => Promise<GatewayResult<unknown>>;
};

/** `own` and `prepare` are methods, so that TypeScript allows each row its own input type. */
export type Calling<Input = Record<string, unknown>> = {
  method: "GET" | "POST";
  input: z.ZodType<Input>;
  /**
   * Answers 401 without a session, and 403 to a manager who impersonates the user, because only the user may manage
   * their sessions.
   */
  needsSession?: boolean;
  /** True when the session must have authenticated recently. */
  needsFresh?: boolean;
  /** What a call with a session changes, where it is a sign-in method. */
  change?: OwnChange;
  /**
   * Answers 403 EMAIL_NOT_VERIFIED to a user whose e-mail is not verified, because the added sign-in method would
   * outlive the verification.
   */
  needsProvenEmail?: boolean;
  /** True when the session may call it in the grace period of the account deletion too. */
  isOpenInGracePeriod?: boolean;
  /** True when a passkey proves the current session, by better-auth's endpoint for a sign-in. */
  isConfirmation?: boolean;
  /** Answers instead of better-auth. */
  own?(options: OwnOptions, call: GatewayCall, input: Input): Promise<GatewayResult>;
  /** Answers some inputs instead of better-auth; undefined for the others. */
  instead?(
    options: OwnOptions,
    call: GatewayCall,
    input: Input,
  ): Promise<GatewayResult> | undefined;
  /** Error code, with 503, when the database fails; without it, 500 UNKNOWN_ERROR. */
  failure?: ErrorCode;
  /** Returns the call to better-auth; without it, the input unchanged. */
  prepare?(input: Input, baseUrl: string): Omit<Sent, "method">;
  /** Returns the sign-in method that the call has added, for the mail to its owner. */
  added?: (body: Record<string, unknown>) => SignInMethod;
  /**
   * Selects the part of better-auth's answer that is passed on; without it, everything but tokens. After a sign-in it
   * gets the first screen.
   */
  answer?: (body: Record<string, unknown>, firstScreen?: string) => Record<string, unknown>;
};

/**
 * The endpoints that sign in and out, with their inputs; features have tables of their own (`ClientEndpoints`), and
 * `CLOSED` names what stays closed. Any other path answers 404.
 */
export const ENDPOINTS: Record<string, Reading | Calling | undefined> = {
  "/get-session": { method: "GET", read: (_options, call) => findOwnSession(call) },
  "/sign-out": {
    method: "POST",
    input: Empty,
    own: signOutByCall,
  },
  "/revoke-sessions": {
    method: "POST",
    input: Empty,
    needsSession: true,
    isOpenInGracePeriod: true,
    own: (options, call) => revokeOwnSessions(options, call, "all"),
    failure: "SESSIONS_NOT_ENDED",
  },
  "/revoke-other-sessions": {
    method: "POST",
    input: Empty,
    needsSession: true,
    isOpenInGracePeriod: true,
    own: (options, call) => revokeOwnSessions(options, call, "others"),
    failure: "SESSIONS_NOT_ENDED",
  },
  "/delete-user": {
    method: "POST",
    input: Deletion,
    needsSession: true,
    own: deleteUser,
  } satisfies Calling<Deletion>,
  [SEND_CODE_PATH]: {
    method: "POST",
    input: CodeRequest,
    instead: (options, call, input) =>
      input.type === "email-verification" ? sendProof(options, call, input) : undefined,
    prepare: ({ email, redirect }) => ({
      body: { email, type: "sign-in" },
      code: { email },
      redirect,
    }),
  } satisfies Calling<CodeRequest>,
  "/email-otp/verify-email": {
    method: "POST",
    input: Proof,
    own: verifyEmail,
  } satisfies Calling<Proof>,
  [SIGN_IN_PATH]: {
    method: "POST",
    input: Credentials,
    prepare: ({ email, otp, redirect }) => ({
      body: { email, otp },
      code: { email, entered: otp },
      redirect,
    }),
  } satisfies Calling<Credentials>,
  "/sign-in/social": {
    method: "POST",
    input: SocialSignIn,
    prepare({ provider, callbackURL: next }, baseUrl) {
      const search = next ? `?redirect=${encodeURIComponent(next)}` : "";
      return {
        provider,
        body: {
          provider,
          // The login screen redirects on to the first screen.
          callbackURL: `${baseUrl}${href("/login")}${search}`,
          // The code for an e-mail that the provider does not vouch for also leads there.
          errorCallbackURL: `${baseUrl}${href("/login/error")}${search}`,
          disableRedirect: false,
        },
      };
    },
  } satisfies Calling<SocialSignIn>,
  "/link-social": {
    method: "POST",
    input: SocialLink,
    needsSession: true,
    needsFresh: true,
    change: "method",
    needsProvenEmail: true,
    prepare({ provider, area }, baseUrl) {
      const account = href(area === "manager" ? "/manager/account" : "/app/account");
      const back = `${baseUrl}${account}?${LINKING}`;
      return { provider, body: { provider, callbackURL: back, errorCallbackURL: back } };
    },
  } satisfies Calling<SocialLink>,
  "/admin/stop-impersonating": { method: "POST", input: Empty, own: stopImpersonating },
  "/passkey/generate-authenticate-options": {
    method: "GET",
    input: Empty,
    // The plugin would accept a passkey without user verification, but such an answer is refused later.
    answer: (options) => ({ ...options, userVerification: "required" }),
  },
  [PASSKEY_SIGN_IN_PATH]: {
    method: "POST",
    input: PasskeySignIn,
    prepare: ({ redirect, ...body }) => ({
      body,
      passkey: { credentialId: body.response.id },
      redirect,
    }),
    // A client follows the URL in the answer, as after every call that redirects (spec section 7).
    answer: (_body, url = href("/login")) => ({ url, redirect: true }),
  } satisfies Calling<PasskeySignIn>,
  [PASSKEY_CONFIRM_PATH]: {
    method: "POST",
    input: PasskeyAssertion,
    needsSession: true,
    isConfirmation: true,
    prepare: (body) => ({ body, passkey: { credentialId: body.response.id } }),
  } satisfies Calling<z.infer<typeof PasskeyAssertion>>,
  "/passkey/generate-register-options": {
    method: "GET",
    input: Empty,
    needsSession: true,
    needsFresh: true,
    change: "new-passkey",
    needsProvenEmail: true,
  },
  "/passkey/verify-registration": {
    method: "POST",
    input: PasskeyRegistration,
    needsSession: true,
    needsFresh: true,
    change: "new-passkey",
    needsProvenEmail: true,
    added: ({ name }) => ({ type: "passkey", name: String(name) }),
    answer: ({ id }) => ({ id }),
  },
};

/** The endpoints that route actions call, with inputs that their forms have parsed. */
export type RouteInputs = {
  [SEND_CODE_PATH]: Omit<CodeRequest, "type">;
  [SIGN_IN_PATH]: Credentials;
  "/sign-in/social": SocialSignIn;
  "/link-social": SocialLink;
};

/** Returns the refusal of an input that its schema refuses, with the field. */
export function invalidInput(error: z.ZodError): GatewayRefusal {
  const [issue] = error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const names = [...(issue?.path ?? []).map(String), ...unknown];
  return {
    ...refusal(400, codeForInvalid(names)),
    ...(names.length > 0 && { field: names.join(".") }),
  };
}

function codeForInvalid(names: string[]): ErrorCode {
  if (names.includes("email") || names.includes("newEmail")) return "INVALID_EMAIL";
  if (names.includes("otp")) return "INVALID_OTP";
  if (names.includes("role")) return "ROLE_NOT_FOUND";
  return "INVALID_PAYLOAD";
}
