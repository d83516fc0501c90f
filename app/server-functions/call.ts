import type { ServerFunctions } from "../routes/api/server-functions.server.ts";

export type Id = keyof ServerFunctions;
export type Input<I extends Id> = Parameters<ServerFunctions[I]["handle"]>[1];
export type Result<I extends Id> = Awaited<ReturnType<ServerFunctions[I]["handle"]>>;

/** Constant delay between tries, as in the specification's HTTP client. */
const RETRIES = 3;
const RETRY_DELAY_MS = 1_000;

/**
 * Calls a server function from the browser. They only read, so a network failure or a 5xx is retried three times, a
 * second apart. Undefined without an answer, or for a refusal.
 */
export async function callServerFunction<I extends Id>(
  id: I,
  payload: Input<I>,
  signal?: AbortSignal,
): Promise<Result<I> | undefined> {
  const url = `/_server/${id}?${new URLSearchParams({ payload: JSON.stringify(payload) })}`;
  for (let attempt = 0; attempt <= RETRIES; attempt += 1) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
    if (signal?.aborted) return undefined;
    try {
      const response = await fetch(url, { signal });
      if (response.ok) return ((await response.json()) as { result: Result<I> }).result;
      if (response.status < 500) return undefined;
    } catch {
      // The network failed or the caller aborted; the loop checks which.
    }
  }
  return undefined;
}
