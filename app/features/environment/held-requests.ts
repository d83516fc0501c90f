/** Sends a failed request again. */
type Retry = () => void;

const held = new Set<Retry>();
const listeners = new Set<() => void>();

/**
 * Holds the router's requests that fail with a network error instead of failing them, so that the screen and the typed
 * text stay. A held request ends when `sendHeldRequests` sends it again, or when another navigation aborts it. Returns
 * a function that stops holding.
 */
export function holdFailedRequests(): () => void {
  const send = window.fetch;
  window.fetch = async (input, init) => {
    for (;;) {
      try {
        return await send(input, init);
      } catch (error) {
        const signal = init?.signal;
        if (!signal || signal.aborted || !isRouteData(input)) throw error;
        await nextTry(signal);
      }
    }
  };
  return () => {
    window.fetch = send;
  };
}

function isRouteData(input: RequestInfo | URL): boolean {
  const url = input instanceof Request ? input.url : input;
  return new URL(url, location.origin).pathname.endsWith(".data");
}

function nextTry(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      held.delete(retry);
      signal.removeEventListener("abort", abort);
      for (const notify of listeners) notify();
    };
    const retry = () => {
      end();
      resolve();
    };
    const abort = () => {
      end();
      reject(signal.reason);
    };
    held.add(retry);
    signal.addEventListener("abort", abort);
    for (const notify of listeners) notify();
  });
}

/** Sends every held request again, unchanged. */
export function sendHeldRequests(): void {
  for (const retry of [...held]) retry();
}

export function hasHeldRequests(): boolean {
  return held.size > 0;
}

/** Calls back when a request starts or stops being held. Returns a function that unsubscribes. */
export function subscribeToHeldRequests(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}
