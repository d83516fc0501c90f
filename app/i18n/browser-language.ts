import {
  isLanguage,
  LANGUAGE_COOKIE,
  LANGUAGE_COOKIE_MAX_AGE_MINUTES,
  LANGUAGE_PARAM,
  LANGUAGE_STORAGE_KEY,
} from "./languages.ts";

/**
 * Applies the language that only the browser knows. A choice that the server saw (parameter or cookie) is copied to
 * localStorage. When only localStorage has another language, it is put into the cookie and the page is loaded again,
 * once; returns true then. Without cookies the URL carries the language instead.
 */
export function settleLanguage(rendered: string): boolean {
  const url = new URL(location.href);
  if (url.searchParams.has(LANGUAGE_PARAM) || document.cookie.includes(`${LANGUAGE_COOKIE}=`)) {
    store(rendered);
    return false;
  }
  const stored = readStored();
  if (!isLanguage(stored) || stored === rendered) return false;
  if (navigator.cookieEnabled) {
    const maxAge = LANGUAGE_COOKIE_MAX_AGE_MINUTES * 60;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
    document.cookie = `${LANGUAGE_COOKIE}=${stored}; path=/; max-age=${maxAge}; samesite=lax`;
    location.reload();
  } else {
    url.searchParams.set(LANGUAGE_PARAM, stored);
    location.replace(url);
  }
  return true;
}

function readStored(): string | null {
  try {
    return (
      localStorage.getItem(LANGUAGE_STORAGE_KEY) ?? sessionStorage.getItem(LANGUAGE_STORAGE_KEY)
    );
  } catch {
    return null;
  }
}

function store(language: string): void {
  try {
    localStorage.setItem(LANGUAGE_STORAGE_KEY, language);
  } catch {
    // Storage is off or full; the cookie is enough.
  }
}
