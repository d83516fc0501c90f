import { useState } from "react";
import { useMatches } from "react-router";

/**
 * True when something does not work, as far as the page knows: the dashboard and the settings read
 * it for themselves, and other screens keep what was read last, because a mark in the navigation is
 * not worth a read on each page.
 */
export function useKnownTroubles(): boolean {
  const known = useMatches()
    .flatMap(({ loaderData }) => troublesIn(loaderData))
    .at(-1);
  const [last, setLast] = useState(false);
  if (known !== undefined && known !== last) setLast(known);
  return known ?? last;
}

function troublesIn(data: unknown): boolean[] {
  const isTold = typeof data === "object" && data !== null && "hasTroubles" in data;
  return isTold && typeof data.hasTroubles === "boolean" ? [data.hasTroubles] : [];
}
