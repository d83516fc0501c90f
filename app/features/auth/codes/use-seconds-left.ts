import { useEffect, useState } from "react";

/** Counts whole seconds down to zero, starting when `start` (the server's answer) arrives. */
export function useSecondsLeft(seconds: number, start: unknown): number {
  const [left, setLeft] = useState(seconds);
  // Outside React: the clock. Measured against a deadline, because timers of a sleeping tab stand still.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new answer starts a new countdown
  useEffect(() => {
    const deadline = performance.now() + seconds * 1_000;
    const update = () => setLeft(Math.max(0, Math.ceil((deadline - performance.now()) / 1_000)));
    update();
    const timer = setInterval(update, 1_000);
    return () => clearInterval(timer);
  }, [seconds, start]);
  return left;
}
