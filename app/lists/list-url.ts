import { useLocation } from "react-router";

/** Search params of the position in a list. Another search, order or filter resets them. */
const POSITION = { after: undefined, pages: undefined };

type ListUrl = (changes: Record<string, string | undefined>) => string;

/** Returns a function that makes the URL of this list with some params changed, from the start of the list. */
export function useListUrl(): ListUrl {
  const { pathname, search } = useLocation();
  return (changes) => {
    const params = new URLSearchParams(search);
    for (const [name, value] of Object.entries({ ...POSITION, ...changes })) {
      if (value === undefined) params.delete(name);
      else params.set(name, value);
    }
    return params.size > 0 ? `${pathname}?${params}` : pathname;
  };
}

/** True when two URLs show the same list, even if one shows more of it. */
export function isSameList(search: string, other: string): boolean {
  return withoutPosition(search) === withoutPosition(other);
}

function withoutPosition(search: string): string {
  const params = new URLSearchParams(search);
  for (const name of Object.keys(POSITION)) params.delete(name);
  params.sort();
  return String(params);
}
