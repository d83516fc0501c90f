import { useEffect, useState } from "react";

/** Whether something has been pending for longer than a moment: what is quick stays quiet. */
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
