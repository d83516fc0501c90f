import { findCookie } from "./http/cookies.ts";
import { TOAST_COOKIE } from "./http/toast.ts";
import { detectLanguage } from "./i18n/i18n.server.ts";
import { detectTheme } from "./middleware/theme.ts";

const PRELOAD = '<link rel="modulepreload"';

/** Pages as they were drawn, by language and theme, with the nonce they were drawn with. */
const pages = new Map<string, { html: string; nonce: string }>();

/**
 * The bare login page is the same for every stranger, so an isolate draws it once for each language and theme; what
 * is new each time is the nonce. Drawing it takes ten times as long as all the rest of the answer. Whoever brings a
 * session, a toast or search params gets a page of their own.
 */
export async function answerStranger(
  request: Request,
  { nonce, sessionCookies }: { nonce: string; sessionCookies: string[] },
  draw: () => Promise<Response>,
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const isStranger =
    request.method === "GET" &&
    pathname === "/login" &&
    search === "" &&
    [...sessionCookies, TOAST_COOKIE].every((name) => !findCookie(request, name));
  if (!isStranger) return draw();

  const key = `${await detectLanguage(request)} ${await detectTheme(request)}`;
  const known = pages.get(key);
  if (known) return page(known.html.replaceAll(known.nonce, nonce));
  const response = await draw();
  if (response.status !== 200) return response;
  // Whoever has no copy yet sees the page before the scripts have come: they wait for what is seen.
  const html = (await response.text()).replaceAll(PRELOAD, `${PRELOAD} fetchpriority="low"`);
  pages.set(key, { html, nonce });
  return page(html);
}

function page(html: string): Response {
  return new Response(html, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Server-Timing": 'd1;desc="0 round trips"',
    },
  });
}
