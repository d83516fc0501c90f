import { useEffect, useState } from "react";
import { callServerFunction, type Id, type Input, type Result } from "./call.ts";

const DEBOUNCE_MS = 300;

/**
 * Returns a server function's answer to a payload, asked when the payload has been stable for a moment; undefined until
 * then, and without a payload. The caller must memoize the payload.
 */
export function useServerAnswer<I extends Id>(
  id: I,
  payload: Input<I> | undefined,
): Result<I> | undefined {
  const [answer, setAnswer] = useState<{ payload: Input<I>; result: Result<I> | undefined }>();

  // Outside React: the server, asked when typing pauses.
  useEffect(() => {
    if (!payload) return;
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const result = await callServerFunction(id, payload, abort.signal);
      if (!abort.signal.aborted) setAnswer({ payload, result });
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [id, payload]);

  return answer && answer.payload === payload ? answer.result : undefined;
}
