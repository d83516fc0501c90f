import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router";
import { forgetSearches } from "../../../lists/query/remembered-searches.ts";

const CHANNEL = "gatehouse-session";
const CHECK_INTERVAL_MS = 60_000;

/**
 * Keeps an open page in step with its session. A tab that changes the session (sign-in, sign-out, a new name or e-mail)
 * tells the other tabs. A page that becomes visible after a while asks the server. When the session has ended, the
 * loaders run and the guard redirects to the login screen.
 */
export function SessionWatch({ sessionId }: { sessionId: string }) {
  const { revalidate } = useRevalidator();
  const lastCheck = useRef(0);

  // Outside React: other tabs, and the page becoming visible.
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
      const { getJson } = await import("../../../http/get-json.ts");
      // Null when there is no session, undefined when the server cannot be reached.
      if ((await getJson("/api/auth/get-session")) === null) await revalidate();
    }
    document.addEventListener("visibilitychange", check);
    return () => {
      channel.close();
      document.removeEventListener("visibilitychange", check);
    };
  }, [sessionId, revalidate]);

  return null;
}

/** Removes what the tab keeps of a session, and tells the other tabs that this browser has no session any more. */
export function SessionEnded() {
  // Outside React: the tab's storage, and other tabs.
  useEffect(() => {
    forgetSearches();
    const channel = new BroadcastChannel(CHANNEL);
    channel.postMessage(null);
    channel.close();
  }, []);
  return null;
}
