import { useEffect, useState, useSyncExternalStore } from "react";
import { href } from "react-router";
import { Button } from "../../ui/button.tsx";
import { useDocument } from "../../ui/document.tsx";
import { useTranslation } from "../../ui/translation.tsx";

const VERSION_CHECK_INTERVAL_MS = 5 * 60_000;
const BACK_ONLINE_NOTICE_MS = 4_000;

/** What the browser alone notices: that the network is gone or back, and that a newer version is being served. */
export default function BrowserNotices() {
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-20 z-50 grid justify-items-center gap-2 px-4 md:bottom-6"
    >
      <NetworkNotice />
      <VersionNotice />
    </div>
  );
}

const noticeClass =
  "pointer-events-auto flex items-center gap-3 rounded-md border border-line bg-panel px-4 py-2 text-sm text-ink shadow-high";

function NetworkNotice() {
  const { t } = useTranslation();
  const isOnline = useSyncExternalStore(
    subscribeToNetwork,
    () => navigator.onLine,
    () => true,
  );
  const [wasOffline, setWasOffline] = useState(false);

  // Outside React: a timer that takes the good news away again.
  useEffect(() => {
    if (!isOnline) setWasOffline(true);
    if (!isOnline || !wasOffline) return;
    const timer = setTimeout(() => setWasOffline(false), BACK_ONLINE_NOTICE_MS);
    return () => clearTimeout(timer);
  }, [isOnline, wasOffline]);

  if (!isOnline) return <p className={noticeClass}>{t("network.offline")}</p>;
  return wasOffline ? <p className={noticeClass}>{t("network.online")}</p> : null;
}

function subscribeToNetwork(notify: () => void): () => void {
  addEventListener("online", notify);
  addEventListener("offline", notify);
  return () => {
    removeEventListener("online", notify);
    removeEventListener("offline", notify);
  };
}

function VersionNotice() {
  const { t } = useTranslation();
  const { version } = useDocument().settings;
  const [isOutdated, setIsOutdated] = useState(false);

  // Outside React: the server's version, asked for now and then and when the page is looked at again.
  useEffect(() => {
    let lastCheck = Date.now();
    async function check() {
      if (document.visibilityState !== "visible") return;
      if (Date.now() - lastCheck < VERSION_CHECK_INTERVAL_MS) return;
      lastCheck = Date.now();
      const served = await fetchServedVersion();
      if (served && served !== version) setIsOutdated(true);
    }
    const timer = setInterval(check, VERSION_CHECK_INTERVAL_MS);
    document.addEventListener("visibilitychange", check);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", check);
    };
  }, [version]);

  if (!isOutdated) return null;
  return (
    <p className={noticeClass}>
      {t("version.outdated")}
      <Button type="button" variant="secondary" onClick={() => location.reload()}>
        {t("version.reload")}
      </Button>
    </p>
  );
}

async function fetchServedVersion(): Promise<string | undefined> {
  try {
    const response = await fetch(href("/health"), { cache: "no-store" });
    return response.headers.get("X-Gatehouse-Version") ?? undefined;
  } catch {
    return undefined;
  }
}
