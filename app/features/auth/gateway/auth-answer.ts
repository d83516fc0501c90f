import type { ErrorCode } from "../../../i18n/message-key.ts";
import { log } from "../../../runtime/log.ts";
import type { GatewayResult } from "./gateway-call.ts";

/**
 * Turns better-auth's answer to a call of `path` into the gateway's result: its cookies, and either its body without
 * tokens or the status and the error code. Without an error code of better-auth, the status decides.
 */
export async function readAnswer(path: string, response: Response): Promise<GatewayResult> {
  const headers = cookiesOf(response.headers);
  const body = await readBody(response);
  tellHeldBack(path, response.headers, body);
  if (response.ok) return { ok: true, headers, body: withoutTokens(body) };
  return {
    ok: false,
    headers,
    status: statusOf(path, response.status, body.code),
    code: codeOf(path, response.status, body.code),
    retryAfterSeconds:
      Number(response.headers.get("Retry-After") ?? response.headers.get("X-Retry-After")) ||
      undefined,
  };
}

/** Returns only the Set-Cookie headers of an answer. */
export function cookiesOf(headers: Headers): Headers {
  return new Headers(
    headers.getSetCookie().map((cookie): [string, string] => ["Set-Cookie", cookie]),
  );
}

/** The plugin answers 500 for a new passkey that it cannot verify. */
export function isWrongPasskey(path: string, status: number): boolean {
  return path === "/passkey/verify-registration" && status === 500;
}

/** better-auth has no other error code for a captcha service that did not answer. */
function isCaptchaDown(path: string, code: unknown): boolean {
  return path === "/email-otp/send-verification-otp" && code === "UNKNOWN_ERROR";
}

function statusOf(path: string, status: number, code: unknown): number {
  if (status === 500 && isCaptchaDown(path, code)) return 503;
  if (isWrongPasskey(path, status)) return 400;
  // An unknown passkey and a wrong signature get the same answer.
  if (code === "AUTHENTICATION_FAILED") return 401;
  return status;
}

function codeOf(path: string, status: number, code: unknown): ErrorCode {
  if (isCaptchaDown(path, code)) return "SERVICE_UNAVAILABLE";
  if (code === "PASSKEY_NOT_FOUND") return "AUTHENTICATION_FAILED";
  // tests/better-auth-codes.test.ts proves that every code of better-auth has a text.
  if (typeof code === "string") return code as ErrorCode;
  if (status === 429) return "TOO_MANY_REQUESTS";
  if (status === 404) return "NOT_FOUND";
  return status >= 500 ? "UNKNOWN_ERROR" : "INVALID_PAYLOAD";
}

async function readBody(response: Response): Promise<Record<string, unknown>> {
  const body: unknown = await response.json().catch(() => undefined);
  return typeof body === "object" && body !== null ? { ...body } : {};
}

/** Headers that say nothing of their own, or that the product writes itself. */
const OWN_HEADERS = [
  "content-type",
  "content-length",
  "retry-after",
  "x-retry-after",
  "set-cookie",
];

const told = new Set<string>();

/**
 * Logs what is held back of better-auth's answers, names only, once for each path. It helps when a
 * plugin is added.
 */
function tellHeldBack(path: string, headers: Headers, body: Record<string, unknown>): void {
  const { session } = body;
  const isTokenIn = (value: unknown) => typeof value === "object" && value && "token" in value;
  const held = [
    ...[...headers.keys()].filter((name) => !OWN_HEADERS.includes(name)),
    ...(isTokenIn(body) ? ["token"] : []),
    ...(isTokenIn(session) ? ["session.token"] : []),
  ];
  const line = `${path} ${held.join()}`;
  if (held.length === 0 || told.has(line)) return;
  told.add(line);
  log("info", "auth.held_back", { path, parts: held.join(", ") });
}

function withoutTokens({ token: _token, session, ...rest }: Record<string, unknown>) {
  if (!session || typeof session !== "object") return rest;
  const { token: _sessionToken, ...shown }: { token?: unknown } = session;
  return { ...rest, session: shown };
}
