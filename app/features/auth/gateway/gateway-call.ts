import type { RequestInfo } from "../../../http/request-context.ts";
import type { Language } from "../../../i18n/languages.ts";
import type { CurrentSession } from "../sessions/sessions.server.ts";

/** One call through the auth gateway. */
export type GatewayCall = {
  /** The browser's request: its cookies, address and user agent are what better-auth sees. */
  request: Request;
  info: RequestInfo;
  language: Language;
  current: () => Promise<CurrentSession | undefined>;
  /** What the captcha's widget put into a form; a call to the API brings it as `X-Captcha-Response`. */
  captchaToken?: string;
};

/** What became of it; `headers` are cookies to hand on, `firstScreen` is where a user who has just signed in goes. */
export type GatewayResult<Body = Record<string, unknown>> =
  | { ok: true; headers: Headers; body: Body; firstScreen?: string }
  | GatewayRefusal;

/** `code` is one of the catalogue's; `status` is the HTTP status that fits. */
export type GatewayRefusal = {
  ok: false;
  status: number;
  code: string;
  retryAfterSeconds?: number;
  /** How many more wrong codes this code stands, when a wrong one was entered. */
  triesLeft?: number;
  headers: Headers;
};

export function refusal(status: number, code: string): GatewayRefusal {
  return { ok: false, status, code, headers: new Headers() };
}
