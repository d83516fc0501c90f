import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router";

const CHANNEL = "gatehouse-session";
const CHECK_INTERVAL_MS = 60_000;

/**
 * Keeps an open page in step with the session it belongs to. What changes a session in one tab (sign-in, sign-out,
 * a new name or address) is told to the others; a page that is looked at again after a while asks the server. When
 * the session has gone, its loaders run and the guard shows the way to the login screen.
 */
export function SessionWatch({ sessionId }: { sessionId: string }) {
  const { revalidate } = useRevalidator();
  const lastCheck = useRef(0);

  // Outside React: other tabs, and the page coming back into view.
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.postMessage(sessionId);
    channel.onmessage = ({ data }) => {
      if (data !== sessionId) void revalidate();
    };
    lastCheck.current = Date.now();

    async function check() {
      if (document.visibilityState !== "visible") return;
      if (Date.now() - lastCheck.current < CHECK_INTERVAL_MS) return;
      lastCheck.current = Date.now();
      if (import.meta.env.SSR) return;
      const { hasSession } = await import("./auth-client.ts");
      if ((await hasSession()) === false) await revalidate();
    }
    document.addEventListener("visibilitychange", check);
    return () => {
      channel.close();
      document.removeEventListener("visibilitychange", check);
    };
  }, [sessionId, revalidate]);

  return null;
}

/** Tells the other tabs that this browser has no session any more. */
export function SessionEnded() {
  // Outside React: other tabs.
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.postMessage(null);
    channel.close();
  }, []);
  return null;
}
