import { localPath, safeRedirect } from "../../../http/safe-redirect.ts";
import { type GatewayRefusal, refusal } from "./gateway-call.ts";

/** Pages to which a client wants to return, as better-auth names them. */
export type Callbacks = {
  callbackURL?: string | undefined;
  newUserCallbackURL?: string | undefined;
  errorCallbackURL?: string | undefined;
};

type Pages = { [Name in keyof Callbacks]: string | undefined };

const REFUSALS = {
  callbackURL: "INVALID_CALLBACK_URL",
  newUserCallbackURL: "INVALID_NEW_USER_CALLBACK_URL",
  errorCallbackURL: "INVALID_ERROR_CALLBACK_URL",
} as const satisfies { [Name in keyof Callbacks]: string };

/**
 * Reads the pages as paths of the product's areas; another page of the product is undefined, which stands for the first
 * screen. Errors for another origin: INVALID_CALLBACK_URL, INVALID_NEW_USER_CALLBACK_URL, INVALID_ERROR_CALLBACK_URL.
 */
export function readCallbacks(
  baseUrl: string,
  { callbackURL, newUserCallbackURL, errorCallbackURL }: Callbacks,
): { ok: true; pages: Pages } | GatewayRefusal {
  const sent = { callbackURL, newUserCallbackURL, errorCallbackURL };
  const pages: Pages = {};
  for (const name of ["callbackURL", "newUserCallbackURL", "errorCallbackURL"] as const) {
    // Forms send an empty text for "none".
    const path = sent[name] && pathAt(baseUrl, sent[name]);
    if (!path) continue;
    if (localPath(path) === undefined) return refusal(403, REFUSALS[name]);
    pages[name] = safeRedirect(path);
  }
  return { ok: true, pages };
}

/** Returns a URL of the product as a path, and anything else as it is. */
function pathAt(baseUrl: string, url: string): string {
  return url === baseUrl || url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) || "/" : url;
}
