import type { RequestInfo } from "../../../http/request-context.ts";
import type { Language } from "../../../i18n/languages.ts";
import type { ErrorCode } from "../../../i18n/message-key.ts";
import type { CheckedMessage } from "../../../ui/text/message.tsx";
import type { CurrentSession } from "../sessions/sessions.server.ts";

export type GatewayCall = {
  /** The browser's request. Its cookies, IP address and user agent are passed on to better-auth. */
  request: Request;
  info: RequestInfo;
  language: Language;
  current: () => Promise<CurrentSession | undefined>;
  /** Token of the captcha widget, from the form or from the header `X-Captcha-Response`. */
  captchaToken?: string;
};

/** Result of a call. `headers` are cookies to set, `firstScreen` is the page after a sign-in. */
export type GatewayResult<Body = Record<string, unknown>> =
  | { ok: true; headers: Headers; body: Body; firstScreen?: string }
  | GatewayRefusal;

/** `code` is an error code; `status` is its HTTP status. */
export type GatewayRefusal = {
  ok: false;
  status: number;
  code: ErrorCode;
  /** A screen's text in place of the code's own. */
  message?: CheckedMessage;
  /** Name of the field that was not accepted, such as `data.name`. */
  field?: string;
  retryAfterSeconds?: number | undefined;
  triesLeft?: number | undefined;
  headers: Headers;
};

export function refusal(status: number, code: ErrorCode): GatewayRefusal {
  return { ok: false, status, code, headers: new Headers() };
}
