/** Sends a failed request again. */
type Retry = () => void;

const held = new Set<Retry>();
const listeners = new Set<() => void>();

/**
 * Sends a request of the router. One that fails with a network error is held instead of failing, so that the screen and
 * the typed text stay. It ends when `sendHeldRequests` sends it again, or when another navigation aborts it.
 */
export async function sendOrHold(
  send: () => Promise<Response>,
  signal: AbortSignal,
): Promise<Response> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (signal.aborted) throw error;
      await nextTry(signal);
    }
  }
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
