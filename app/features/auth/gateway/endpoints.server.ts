import { href } from "react-router";
import { z } from "zod";
import { safeRedirect } from "../../../http/safe-redirect.ts";
import type { ErrorCode } from "../../../i18n/message-key.ts";
import { Email } from "../../../values/email.ts";
import { PersonName } from "../../../values/person-name.ts";
import type { CurrentSession } from "../sessions/sessions.server.ts";
import { SEND_CODE_PATH } from "../sign-in/code-guard.server.ts";
import { PASSKEY_CONFIRM_PATH, PASSKEY_SIGN_IN_PATH } from "../sign-in/passkey-call.server.ts";
import { readCallbacks } from "./callback-pages.ts";
import { SIGN_IN_PATH, signInByCode } from "./code-sign-in.server.ts";
import { forward } from "./forward.server.ts";
import {
  type GatewayCall,
  type GatewayRefusal,
  type GatewayResult,
  refusal,
} from "./gateway-call.ts";
import type { GatewayParts } from "./gateway-parts.ts";
import { Code, PasskeyAssertion, PasskeyRegistration, SignInSecret } from "./input.ts";
import {
  deleteUser,
  findOwnSession,
  revokeOwnSessions,
  sendProof,
  signOutByCall,
  stopImpersonating,
  verifyEmail,
} from "./own-endpoints.server.ts";
import { addPasskey, confirmByPasskey } from "./passkey-endpoints.server.ts";

/** Marks a provider's redirect that ends the linking of an account. */
export const LINKING = "linking";

const Empty = z.unknown().transform(() => ({}));

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
const Credentials = z.object({
  email: Email,
  otp: SignInSecret,
  /** Of a user who has none yet. */
  name: z.union([z.literal("").transform(() => undefined), PersonName]).optional(),
  redirect: next,
});

const pageUrl = z.string().max(2_048).optional();

type PasskeySignIn = z.infer<typeof PasskeySignIn>;
const PasskeySignIn = PasskeyAssertion.extend({ callbackURL: pageUrl });

/** A token of the provider, with which an app of a phone signs in. */
const idToken = z.unknown().optional();

type SocialSignIn = z.infer<typeof SocialSignIn>;
const SocialSignIn = z.object({
  provider: z.string().max(50),
  callbackURL: pageUrl,
  newUserCallbackURL: pageUrl,
  errorCallbackURL: pageUrl,
  disableRedirect: z.boolean().default(false),
  idToken,
});

type SocialLink = z.infer<typeof SocialLink>;
/** The server decides the page after the provider's redirect, not the client. */
const SocialLink = z.object({
  provider: z.string().max(50),
  area: z.enum(["app", "manager"]).default("app"),
  idToken,
});

type Deletion = z.infer<typeof Deletion>;
const Deletion = z.object({ otp: Code.optional() });

/**
 * Who may call an endpoint in a session: never a manager who impersonates the user, because only the user may do this.
 */
export type Access =
  /** Any session, also in the grace period of the account deletion. */
  | "session"
  /** Any session outside the grace period. A passkey that is due may be proven here. */
  | "confirmation"
  /** The same, where no passkey is due. */
  | "account"
  /**
   * A fresh session of a proven e-mail, which adds a sign-in method: it would outlive the
   * verification. "new-passkey" is also open to those who must add one.
   */
  | "method"
  | "new-passkey";

type Asked<Input> = { parts: GatewayParts; call: GatewayCall; path: string; input: Input };

/** An endpoint that only reads, for clients. */
type Reading = {
  access: "reader";
  method: "GET";
  answer(call: GatewayCall): Promise<GatewayResult<unknown>>;
};

/** An endpoint for everyone. `answer` is a method, so that TypeScript allows each row its own input type. */
type Open<Input = Record<string, unknown>> = {
  access: "anyone";
  method: "GET" | "POST";
  input: z.ZodType<Input>;
  answer(asked: Asked<Input>): Promise<GatewayResult>;
};

/** An endpoint that needs a session. `failure` is its own error code when the database fails. */
type InSession<Input = Record<string, unknown>> = {
  access: Access;
  method: "GET" | "POST";
  input: z.ZodType<Input>;
  failure?: ErrorCode;
  answer(asked: Asked<Input> & { current: CurrentSession }): Promise<GatewayResult>;
};

/** An endpoint with an input. */
export type Calling = Open | InSession;

/**
 * The endpoints that sign in and out, with their inputs; features have tables of their own (`ClientEndpoints`), and
 * `CLOSED` names what stays closed. Any other path answers 404.
 */
export const ENDPOINTS: Record<string, Reading | Calling | undefined> = {
  "/get-session": { access: "reader", method: "GET", answer: findOwnSession },
  "/ok": {
    access: "reader",
    method: "GET",
    answer: async () => ({ ok: true, headers: new Headers(), body: { ok: true } }),
  },
  "/sign-out": {
    access: "anyone",
    method: "POST",
    input: Empty,
    answer: ({ parts, call }) => signOutByCall(parts, call),
  },
  "/revoke-sessions": {
    access: "session",
    method: "POST",
    input: Empty,
    failure: "SESSIONS_NOT_ENDED",
    answer: ({ parts, call, current }) => revokeOwnSessions(parts, call, current, "all"),
  },
  "/revoke-other-sessions": {
    access: "session",
    method: "POST",
    input: Empty,
    failure: "SESSIONS_NOT_ENDED",
    answer: ({ parts, call, current }) => revokeOwnSessions(parts, call, current, "others"),
  },
  "/delete-user": {
    access: "account",
    method: "POST",
    input: Deletion,
    answer: ({ parts, call, current, input }) => deleteUser(parts, call, current, input),
  } satisfies InSession<Deletion>,
  [SEND_CODE_PATH]: {
    access: "anyone",
    method: "POST",
    input: CodeRequest,
    async answer({ parts, call, path, input: { email, redirect, type } }) {
      if (type === "email-verification") return sendProof(parts, call, { email });
      const about = { type: "code-request", email } as const;
      const body = { email, type: "sign-in" };
      return forward(parts, call, path, { method: "POST", body, redirect, about });
    },
  } satisfies Open<CodeRequest>,
  "/email-otp/verify-email": {
    access: "anyone",
    method: "POST",
    input: Proof,
    answer: ({ parts, call, input }) => verifyEmail(parts, call, input),
  } satisfies Open<Proof>,
  [SIGN_IN_PATH]: {
    access: "anyone",
    method: "POST",
    input: Credentials,
    answer: ({ parts, call, input }) => signInByCode(parts, call, input),
  } satisfies Open<Credentials>,
  "/sign-in/social": {
    access: "anyone",
    method: "POST",
    input: SocialSignIn,
    async answer({ parts, call, path, input }) {
      if (input.idToken) return refusal(400, "ID_TOKEN_NOT_SUPPORTED");
      const read = readCallbacks(parts.baseUrl, input);
      if (!read.ok) return read;
      const { provider, disableRedirect } = input;
      const { callbackURL: page, newUserCallbackURL: newUserPage = page } = read.pages;
      // The login screen redirects on to the first screen.
      const login = parts.baseUrl + href("/login");
      const body = {
        provider,
        disableRedirect,
        callbackURL: login + searchFor(page),
        newUserCallbackURL: login + searchFor(newUserPage),
        // The code for an e-mail that the provider does not vouch for also leads to the page.
        errorCallbackURL: parts.baseUrl + href("/login/error") + searchFor(page),
      };
      return forward(parts, call, path, toProvider(provider, body));
    },
  } satisfies Open<SocialSignIn>,
  "/link-social": {
    access: "method",
    method: "POST",
    input: SocialLink,
    async answer({ parts, call, path, current, input }) {
      if (input.idToken) return refusal(400, "ID_TOKEN_NOT_SUPPORTED");
      const { provider, area } = input;
      const account = href(area === "manager" ? "/manager/account" : "/app/account");
      const back = `${parts.baseUrl}${account}?${LINKING}`;
      const body = { provider, callbackURL: back, errorCallbackURL: back };
      return forward(parts, call, path, toProvider(provider, body), current);
    },
  } satisfies InSession<SocialLink>,
  "/admin/stop-impersonating": {
    access: "anyone",
    method: "POST",
    input: Empty,
    answer: ({ parts, call }) => stopImpersonating(parts, call),
  },
  "/passkey/generate-authenticate-options": {
    access: "anyone",
    method: "GET",
    input: Empty,
    async answer({ parts, call, path }) {
      const result = await forward(parts, call, path, READ);
      // The plugin would accept a passkey without user verification, but such an answer is refused later.
      return withBody(result, (options) => ({ ...options, userVerification: "required" }));
    },
  },
  [PASSKEY_SIGN_IN_PATH]: {
    access: "anyone",
    method: "POST",
    input: PasskeySignIn,
    async answer({ parts, call, path, input: { callbackURL, ...body } }) {
      const read = readCallbacks(parts.baseUrl, { callbackURL });
      if (!read.ok) return read;
      const redirect = read.pages.callbackURL;
      const about = { type: "passkey", credentialId: body.response.id } as const;
      const result = await forward(parts, call, path, { method: "POST", body, redirect, about });
      if (!callbackURL) return result;
      // A client follows the URL in the answer, as after every call that redirects (spec section 7).
      return withBody(result, (_, url = href("/login")) => ({ url, redirect: true }));
    },
  } satisfies Open<PasskeySignIn>,
  [PASSKEY_CONFIRM_PATH]: {
    access: "confirmation",
    method: "POST",
    input: PasskeyAssertion,
    answer: ({ parts, call, path, current, input }) =>
      confirmByPasskey(parts, call, path, current, input),
  } satisfies InSession<z.infer<typeof PasskeyAssertion>>,
  "/passkey/generate-register-options": {
    access: "new-passkey",
    method: "GET",
    input: Empty,
    answer: ({ parts, call, path, current }) => forward(parts, call, path, READ, current),
  },
  "/passkey/verify-registration": {
    access: "new-passkey",
    method: "POST",
    input: PasskeyRegistration,
    answer: ({ parts, call, path, current, input }) =>
      addPasskey(parts, call, path, current, input),
  } satisfies InSession<z.infer<typeof PasskeyRegistration>>,
};

const READ = { method: "GET", body: {}, redirect: undefined, about: { type: "other" } } as const;

function searchFor(page: string | undefined): string {
  return page ? `?redirect=${encodeURIComponent(page)}` : "";
}

function toProvider(provider: string, body: Record<string, unknown>) {
  return {
    method: "POST",
    body,
    redirect: undefined,
    about: { type: "to-provider", provider },
  } as const;
}

/** Returns a result with another body. After a sign-in, `change` gets the first screen too. */
function withBody(
  result: GatewayResult,
  change: (body: Record<string, unknown>, firstScreen?: string) => Record<string, unknown>,
): GatewayResult {
  return result.ok ? { ...result, body: change(result.body, result.firstScreen) } : result;
}

/** The endpoints that route actions call, with inputs that their forms have parsed. */
export type RouteInputs = {
  [SEND_CODE_PATH]: Omit<CodeRequest, "type">;
  [SIGN_IN_PATH]: Omit<Credentials, "name">;
  "/sign-in/social": Pick<SocialSignIn, "provider" | "callbackURL">;
  "/link-social": Pick<SocialLink, "provider" | "area">;
};

/** Returns the refusal of an input that its schema refuses, with the field. `codes` are those of single fields. */
export function invalidInput(
  error: z.ZodError,
  codes: { [field: string]: ErrorCode } = {},
): GatewayRefusal {
  // A field that nobody may send says more than one that is missing.
  const [first] = error.issues;
  const issue = error.issues.find(({ code }) => code === "unrecognized_keys") ?? first;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const names = [...(issue?.path ?? []).map(String), ...unknown];
  // A client names the field, so it is not looked up in an object: that would also have "constructor".
  const [, own] = Object.entries(codes).find(([field]) => field === names.join(".")) ?? [];
  return {
    ...refusal(400, own ?? codeForInvalid(names)),
    ...(names.length > 0 && { field: names.join(".") }),
  };
}

function codeForInvalid(names: string[]): ErrorCode {
  if (names.includes("email") || names.includes("newEmail")) return "INVALID_EMAIL";
  if (names.includes("otp")) return "INVALID_OTP";
  if (names.includes("role")) return "ROLE_NOT_FOUND";
  return "INVALID_PAYLOAD";
}
