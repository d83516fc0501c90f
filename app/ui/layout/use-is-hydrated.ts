import { useSyncExternalStore } from "react";

/** Returns false on the server and in the first render, true afterwards, for parts that need JavaScript. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
}
