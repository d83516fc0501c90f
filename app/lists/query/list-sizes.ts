/** How many rows a page of a list can show; the first is the default. */
export const PAGE_SIZES = [20, 50, 100] as const;

/** Rows that one URL shows at most; after them the list continues from a cursor. */
export const MAX_ROWS = 200;
