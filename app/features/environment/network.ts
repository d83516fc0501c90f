import { href } from "react-router";

/** True once the server answered although the browser believes that it is offline, as some machines always do. */
let isReachable = false;

/** Whether the browser is offline, as far as is known. */
export function isOffline(): boolean {
  return !navigator.onLine && !isReachable;
}

/** Asks the server for a sign of life: true when it answers anything. */
export async function reachServer(): Promise<boolean> {
  try {
    await fetch(href("/health"), { cache: "no-store" });
    isReachable = true;
    return true;
  } catch {
    return false;
  }
}

/** Calls back when the browser goes offline or online; answers how to stop. */
export function subscribeToNetwork(notify: () => void): () => void {
  const lose = () => {
    isReachable = false;
    notify();
  };
  addEventListener("online", notify);
  addEventListener("offline", lose);
  return () => {
    removeEventListener("online", notify);
    removeEventListener("offline", lose);
  };
}
