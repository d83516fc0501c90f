import { useEffect, useState } from "react";

/** Returns true when something has been pending for longer than `afterMs`, so that quick work shows no spinner. */
export function useIsLate(isPending: boolean, afterMs: number): boolean {
  const [isLate, setIsLate] = useState(false);

  // Outside React: the timer.
  useEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(() => setIsLate(true), afterMs);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [isPending, afterMs]);

  return isPending && isLate;
}
