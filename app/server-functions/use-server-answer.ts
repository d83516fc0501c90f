import { useEffect, useState } from "react";
import {
  callServerFunction,
  type Functions,
  type Id,
  type Input,
  type Result,
  type ServerFunctions,
} from "./call.ts";

const DEBOUNCE_MS = 300;

/**
 * Returns a server function's answer to a payload, asked when the payload has been stable for a moment; undefined until
 * then, and without a payload. The caller must memoize the payload.
 */
export function useServerAnswer<I extends Id<F>, F extends Functions = ServerFunctions>(
  id: I,
  payload: Input<F, I> | undefined,
): Result<F, I> | undefined {
  const [answer, setAnswer] = useState<{
    payload: Input<F, I>;
    result: Result<F, I> | undefined;
  }>();

  // Outside React: the server, asked when typing pauses.
  useEffect(() => {
    if (!payload) return;
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const result = await callServerFunction<I, F>(id, payload, abort.signal);
      if (!abort.signal.aborted) setAnswer({ payload, result });
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [id, payload]);

  return answer && answer.payload === payload ? answer.result : undefined;
}
