import { useLocation, useNavigation } from "react-router";
import { CHOICE_PARAMS } from "../bulk/kept-choice.ts";

/** Search params of the position in a list, and of a kept choice. Another search, order or filter resets them. */
const POSITION = { after: undefined, pages: undefined, ...CHOICE_PARAMS };

export type Changes = Record<string, string | undefined>;

/** Returns a function that makes the URL of this list with some params changed, from the start of the list. */
export function useListUrl(): (changes: Changes) => string {
  const { pathname, search } = useAskedLocation();
  return (changes) => {
    const params = changed(search, changes);
    return params.size > 0 ? `${pathname}?${params}` : pathname;
  };
}

/** Returns the params that a form of this list has to keep, without those that its own fields name. */
export function useKeptParams(fields: readonly string[]): [name: string, value: string][] {
  const { search } = useAskedLocation();
  return [...changed(search, Object.fromEntries(fields.map((name) => [name, undefined])))];
}

/** Returns the URL of this list that was asked for last: its answer may still be on its way. */
function useAskedLocation() {
  const shown = useLocation();
  const { location } = useNavigation();
  return location?.pathname === shown.pathname ? location : shown;
}

function changed(search: string, changes: Changes): URLSearchParams {
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries({ ...POSITION, ...changes })) {
    if (value === undefined) params.delete(name);
    else params.set(name, value);
  }
  return params;
}

/** True when two URLs show the same list, even if one shows more of it. */
export function isSameList(search: string, other: string): boolean {
  return withoutPosition(search) === withoutPosition(other);
}

/** Returns a query string without the position in the list, its params in a fixed order. */
function withoutPosition(search: string): string {
  const params = new URLSearchParams(search);
  for (const name of Object.keys(POSITION)) params.delete(name);
  params.sort();
  return String(params);
}
