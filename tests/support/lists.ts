import type { Browser } from "./client.ts";
import { findAll, readPage } from "./page.ts";

/** What a list page shows. */
export type ShownList = {
  status: number;
  /** The ids of its rows in order, read from their links. */
  ids: string[];
  /** The whole page as text, read on first use. */
  readonly text: string;
  /** The URL of "Load more"; undefined at the end. */
  more: string | undefined;
};

/** Opens a list. */
export async function openList(browser: Browser, path: string): Promise<ShownList> {
  const response = await browser.get(path);
  const page = readPage(await response.text());
  return {
    status: response.status,
    ids: [...page.document.querySelectorAll("tbody")].flatMap(idsIn),
    get text() {
      return page.text();
    },
    more: page.linkTo("Load more"),
  };
}

/** Returns the ids of the users or repositories that a part of a page links to, without the links of row menus. */
function idsIn(part: Element): string[] {
  return findAll(part, "link").flatMap((link) => {
    if (link.hasAttribute("data-row")) return [];
    const path = /^\/(?:app|manager)\/\w+\/([^/?]+)/.exec(link.getAttribute("href") ?? "");
    return path?.[1] ?? [];
  });
}

/** Returns the ids of all rows of a list, ten pages a request; a row that is shown twice is there twice. */
export async function walkList(browser: Browser, path: string): Promise<string[]> {
  const passed: string[] = [];
  for (let next: string | undefined = path; next; ) {
    const url: URL = new URL(next, "http://list");
    url.searchParams.set("pages", "10");
    const shown = await openList(browser, url.pathname + url.search);
    passed.push(...shown.ids);
    next = shown.more;
  }
  return passed;
}
