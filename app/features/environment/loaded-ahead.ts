import { LOAD_AHEAD_HEADERS } from "../../http/load-ahead.ts";
import { isOffline } from "./network.ts";

/** How long the pointer or the focus rests on a link before its screen is loaded. */
const REST_MS = 65;

/** Longer than most people take from a link to the click, short enough that no old screen shows. */
const KEPT_MS = 10_000;

type LoadedAhead = { url: string; loadedAt: number; response: Promise<Response> };

/** The one screen that is loaded ahead, in the page's memory. */
let loaded: LoadedAhead | undefined;

/** Returns the answer to a request of the router if it was loaded ahead, once. */
export async function takeLoadedAhead(url: string): Promise<Response | undefined> {
  const found = findKept(url);
  if (!found) return undefined;
  loaded = undefined;
  const response = await found.response.catch(() => undefined);
  return response?.ok ? response : undefined;
}

/** Forgets what is loaded ahead, because a change is under way or done. */
export function forgetLoadedAhead(): void {
  loaded = undefined;
}

/**
 * Loads the screen of a link that the pointer or the focus rests on, so that the click finds it in the page's memory.
 * A touch that begins to scroll loads nothing. Returns a function that stops.
 */
export function loadRestedLinks(): () => void {
  let rested: HTMLAnchorElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rest = ({ target }: Event) => {
    const link = routerLink(target);
    if (link === rested) return;
    leave();
    rested = link;
    if (link) timer = setTimeout(load, REST_MS, link);
  };
  const leave = () => {
    clearTimeout(timer);
    rested = undefined;
  };
  const starts = ["pointerover", "focusin"] as const;
  const ends = ["pointercancel", "focusout"] as const;
  for (const type of starts) document.addEventListener(type, rest);
  for (const type of ends) document.addEventListener(type, leave);
  return () => {
    leave();
    for (const type of starts) document.removeEventListener(type, rest);
    for (const type of ends) document.removeEventListener(type, leave);
  };
}

/** Returns the link around an element, if the router may load its screen. */
function routerLink(target: EventTarget | null): HTMLAnchorElement | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest<HTMLAnchorElement>("a[data-discover]") ?? undefined;
}

function load(link: HTMLAnchorElement): void {
  const url = new URL(link.href);
  // Searches are limited to some in a minute: only what is clicked counts.
  if (isOffline() || isHere(url) || url.searchParams.has("searchTerm")) return;
  // The router's own names for the data of a path.
  const name = url.pathname.endsWith("/") ? `${url.pathname}_` : url.pathname;
  const dataUrl = `${url.origin}${name}.data${url.search}`;
  if (findKept(dataUrl)) return;
  const response = loadWhole(dataUrl);
  // It may never be asked for. What fails is loaded again by the click.
  response.catch(() => {});
  loaded = { url: dataUrl, loadedAt: Date.now(), response };
}

/** Reads the whole answer, because a browser receives a body only as it is read. */
async function loadWhole(url: string): Promise<Response> {
  const response = await fetch(url, { headers: LOAD_AHEAD_HEADERS });
  return new Response(await response.blob(), response);
}

function findKept(url: string): LoadedAhead | undefined {
  const isFresh = loaded?.url === url && Date.now() - loaded.loadedAt <= KEPT_MS;
  return isFresh ? loaded : undefined;
}

function isHere({ origin, pathname, search }: URL): boolean {
  return origin !== location.origin || pathname + search === location.pathname + location.search;
}
