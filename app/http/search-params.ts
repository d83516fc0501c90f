import type { z } from "zod";

/** Reads a screen's search params. Of a repeated one the first counts. The schema states every fallback. */
export function parseSearch<S extends z.ZodType>(url: URL, schema: S): z.output<S> {
  const first = Object.fromEntries([...url.searchParams].reverse());
  return schema.parse(first);
}
