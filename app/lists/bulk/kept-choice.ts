import { MAX_ROWS } from "../query/list-sizes.ts";

/** The chosen rows of a list and the action that was asked for, while the user proves who they are. */
export type KeptChoice = { ids: readonly string[]; asked: string | undefined };

export const NO_CHOICE: KeptChoice = { ids: [], asked: undefined };

/** Search params of a kept choice. The rows' checkboxes have the first name. */
export const CHOICE_PARAMS = { id: undefined, asked: undefined };

/** Reads a kept choice from a query string. It only ticks boxes and opens a question, so any text may be in it. */
export function readChoice(search: string | URLSearchParams): KeptChoice {
  const params = new URLSearchParams(search);
  const ids = params.getAll("id").filter((id) => id.length <= 64);
  return { ids: [...new Set(ids)].slice(0, MAX_ROWS), asked: params.get("asked")?.slice(0, 40) };
}

export function withChoice(path: string, { ids, asked }: KeptChoice): string {
  const [pathname = "", search] = path.split("?", 2);
  const params = new URLSearchParams(search);
  for (const name of Object.keys(CHOICE_PARAMS)) params.delete(name);
  for (const id of ids) params.append("id", id);
  if (asked && ids.length > 0) params.set("asked", asked);
  return params.size > 0 ? `${pathname}?${params}` : pathname;
}
