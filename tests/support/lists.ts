import { type Browser, readText } from "./client.ts";

/** What a list page shows. */
export type ShownList = {
  status: number;
  /** The ids of its rows in order, read from their links. */
  ids: string[];
  /** The whole page as text. */
  text: string;
  /** The URL of "Load more"; undefined at the end. */
  more: string | undefined;
};

/** Opens a list. */
export async function openList(browser: Browser, path: string): Promise<ShownList> {
  const response = await browser.get(path);
  const page = await response.text();
  const body = /<tbody\b[\s\S]*?<\/tbody>/.exec(page)?.[0] ?? "";
  const links = body.matchAll(/<a\b[^>]*\shref="\/(?:app|manager)\/\w+\/([^"/?]+)"/g);
  const more = /<a\b[^>]*\shref="([^"]*)"[^>]*>Load more<\/a>/.exec(page)?.[1];
  return {
    status: response.status,
    ids: [...links].map(([, id]) => id ?? ""),
    text: readText(page),
    more: more?.replaceAll("&amp;", "&"),
  };
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
