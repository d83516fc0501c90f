/** Constant delay between tries, as in the specification's HTTP client. */
const RETRIES = 3;
const RETRY_DELAY_MS = 1_000;

/**
 * Reads JSON from this site in the browser. A network failure or a 5xx is retried three times, a second apart.
 * Undefined without an answer, for a refusal, and after an abort.
 */
export async function getJson(url: string, signal?: AbortSignal): Promise<unknown> {
  for (let attempt = 0; attempt <= RETRIES; attempt += 1) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
    if (signal?.aborted) return undefined;
    try {
      const response = await fetch(url, { signal });
      if (response.ok) return await response.json();
      if (response.status < 500) return undefined;
    } catch {
      // The network failed or the caller aborted; the loop checks which.
    }
  }
  return undefined;
}
