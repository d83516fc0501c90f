import { useSyncExternalStore } from "react";

/** False on the server and in the first paint: what only works with JavaScript shows up after it. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
}
