import { href } from "react-router";

/** True after the server answered although the browser reports that it is offline, as some machines always do. */
let isReachable = false;

/** Returns true when the browser is offline, as far as known. */
export function isOffline(): boolean {
  return !navigator.onLine && !isReachable;
}

/** Sends a request to the server; true when it answers at all. */
export async function reachServer(): Promise<boolean> {
  try {
    await fetch(href("/health"), { cache: "no-store" });
    isReachable = true;
    return true;
  } catch {
    return false;
  }
}

/** Calls back when the browser goes offline or online. Returns a function that unsubscribes. */
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
