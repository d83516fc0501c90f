import { z } from "zod";
import { SEARCH_TERM_MAX_LENGTH } from "../../values/limits.ts";
import { MAX_ROWS, PAGE_SIZES } from "./list-sizes.ts";

/** Message about a URL parameter that was shortened or ignored. */
export type ListNotice =
  | "common:list.termCut"
  | "common:list.cursorIgnored"
  | "common:list.dayIgnored"
  | "common:list.filterIgnored";

export type ListParams<Sort extends string> = {
  searchTerm: string;
  sort: Sort;
  direction: "asc" | "desc";
  size: (typeof PAGE_SIZES)[number];
  pages: number;
  after: Cursor | undefined;
  notices: ListNotice[];
};

const Cursor = z.object({
  value: z.union([z.string(), z.number(), z.null()]),
  id: z.string().max(64),
  /** Sort and direction of the list, where programs keep the cursor. A screen's URL has them beside it. */
  order: z.string().max(50).optional(),
});
type Cursor = z.infer<typeof Cursor>;

const DIRECTIONS = ["asc", "desc"] as const;
const Pages = z.coerce.number().int().min(1).catch(1);

/**
 * Reads a list's state from the URL. Nothing in it is an error: an unknown sort or page falls back to the default, and
 * a malformed cursor or an over-long term gives a notice.
 */
export function readListParams<const Sort extends string>(
  url: URL,
  sorts: readonly [Sort, ...Sort[]],
  defaultDirection: "asc" | "desc",
): ListParams<Sort> {
  const notices: ListNotice[] = [];
  const params = url.searchParams;
  const typed = (params.get("searchTerm") ?? "").trim();
  const searchTerm = [...typed].slice(0, SEARCH_TERM_MAX_LENGTH).join("");
  if (searchTerm !== typed) notices.push("common:list.termCut");
  const cursor = params.get("after");
  const after = cursor === null ? undefined : decodeCursor(cursor);
  if (cursor !== null && !after) notices.push("common:list.cursorIgnored");
  const direction = DIRECTIONS.find((choice) => choice === params.get("direction"));
  const size = PAGE_SIZES.find((choice) => String(choice) === params.get("size")) ?? PAGE_SIZES[0];
  const pages = Pages.parse(params.get("pages"));
  return {
    searchTerm,
    size,
    sort: sorts.find((choice) => choice === params.get("sort")) ?? sorts[0],
    direction: direction ?? defaultDirection,
    pages: pages <= MAX_ROWS / size ? pages : 1,
    after,
    notices,
  };
}

export function encodeCursor(cursor: Cursor): string {
  const bytes = new TextEncoder().encode(JSON.stringify(cursor));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/**
 * Decodes a cursor of the URL; undefined for any other text.
 * @public For features, of which there may be none.
 */
export function decodeCursor(text: string): Cursor | undefined {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return Cursor.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}
