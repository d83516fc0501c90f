import { findLastMethod } from "../features/auth/sign-in/last-method.ts";
import type { PublicSettings } from "../features/site-settings/public-settings.server.ts";
import { findCookie } from "../http/cookies.ts";
import { findLanguage } from "../http/language-detection.server.ts";
import { TOAST_COOKIE } from "../http/toast.ts";
import { detectTheme } from "../middleware/theme.ts";

const PRELOAD = '<link rel="modulepreload"';

/** A rendered page in bytes, and the positions of its nonce. Each response is a copy with a new nonce. */
type Drawn = { bytes: Uint8Array<ArrayBuffer>; nonceAt: number[] };

const encoder = new TextEncoder();

type Visit = {
  nonce: string;
  sessionCookies: string[];
  readSettings: () => Promise<PublicSettings>;
};

export type AnonymousAnswer = ReturnType<typeof createAnonymousAnswer>;

/**
 * Returns the function that answers the plain login page. It is the same for every anonymous visitor except for the nonce, so an isolate draws it
 * once for each language, theme, last sign-in method and state of the settings; drawing takes ten times as long as the rest. A request with a session, a toast or
 * search params gets its own page.
 */
export function createAnonymousAnswer() {
  /** By language, theme and last sign-in method. */
  const pages = new Map<string, Drawn>();
  let shownSettings = "";

  return async (
    request: Request,
    { nonce, sessionCookies, readSettings }: Visit,
    draw: () => Promise<Response>,
  ): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const isAnonymous =
      request.method === "GET" &&
      pathname === "/login" &&
      search === "" &&
      [...sessionCookies, TOAST_COOKIE].every((name) => !findCookie(request, name));
    if (!isAnonymous) return draw();

    const settings = JSON.stringify(await readSettings());
    if (settings !== shownSettings) pages.clear();
    shownSettings = settings;
    const key = `${await findLanguage(request)} ${await detectTheme(request)} ${findLastMethod(request)}`;
    const known = pages.get(key);
    if (known) return page(known, nonce);
    const response = await draw();
    if (response.status !== 200) return response;
    // Loads scripts at low priority, so that they do not delay the first paint.
    const html = (await response.text()).replaceAll(PRELOAD, `${PRELOAD} fetchpriority="low"`);
    const drawn = { bytes: encoder.encode(html), nonceAt: positionsOf(nonce, html) };
    // Another request may have read newer settings meanwhile.
    if (settings === shownSettings) pages.set(key, drawn);
    return page(drawn, nonce);
  };
}

function positionsOf(nonce: string, html: string): number[] {
  const nonceLength = encoder.encode(nonce).length;
  const positions: number[] = [];
  let end = 0;
  for (const part of html.split(nonce).slice(0, -1)) {
    const position = end + encoder.encode(part).length;
    positions.push(position);
    end = position + nonceLength;
  }
  return positions;
}

/** Every nonce has the same length. */
function page({ bytes, nonceAt }: Drawn, nonce: string): Response {
  const body = bytes.slice();
  const nonceBytes = encoder.encode(nonce);
  for (const position of nonceAt) body.set(nonceBytes, position);
  return new Response(body, {
    headers: { "Content-Type": "text/html; charset=utf-8" },
  });
}
