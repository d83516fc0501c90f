import { useLocation } from "react-router";

/** Where in a list one stands: what another search, order or filter starts anew. */
const PLACE = { after: undefined, pages: undefined };

type ListAddress = (changes: Record<string, string | undefined>) => string;

/** Makes addresses of this list, from its start, that differ from the current one in some params. */
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

/** Whether two addresses show the same list, one of them more of it. */
export function isSameList(search: string, other: string): boolean {
  return withoutPlace(search) === withoutPlace(other);
}

function withoutPlace(search: string): string {
  const params = new URLSearchParams(search);
  for (const name of Object.keys(PLACE)) params.delete(name);
  params.sort();
  return String(params);
}
