import { useLocation } from "react-router";

/** Search params of the position in a list. Another search, order or filter resets them. */
const PLACE = { after: undefined, pages: undefined };

type ListAddress = (changes: Record<string, string | undefined>) => string;

/** Returns a function that makes the URL of this list with some params changed, from the start of the list. */
export function useListAddress(): ListAddress {
  const { pathname, search } = useLocation();
  return (changes) => {
    const params = new URLSearchParams(search);
    for (const [name, value] of Object.entries({ ...PLACE, ...changes })) {
      if (value === undefined) params.delete(name);
      else params.set(name, value);
    }
    return params.size > 0 ? `${pathname}?${params}` : pathname;
  };
}

/** True when two URLs show the same list, even if one shows more of it. */
export function isSameList(search: string, other: string): boolean {
  return withoutPlace(search) === withoutPlace(other);
}

function withoutPlace(search: string): string {
  const params = new URLSearchParams(search);
  for (const name of Object.keys(PLACE)) params.delete(name);
  params.sort();
  return String(params);
}
