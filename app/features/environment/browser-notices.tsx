import "./browser-notices.css";
import { useEffect, useState, useSyncExternalStore } from "react";
import { href } from "react-router";
import { NoticeLine } from "../../ui/feedback/notice-line.tsx";
import { Button, buttonClass } from "../../ui/forms/button.tsx";
import { useDocument } from "../../ui/layout/document.tsx";
import { TopLayer } from "../../ui/overlays/top-layer.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { loadRestedLinks } from "./loaded-ahead.ts";
import { isOffline, subscribeToNetwork } from "./network.ts";
import { interceptRouterRequests } from "./router-requests.ts";
import { useUnsent } from "./use-unsent.ts";

const VERSION_CHECK_INTERVAL_MS = 5 * 60_000;
const BACK_ONLINE_NOTICE_MS = 4_000;

/** Notices about the browser's state: the network is lost or back, or the server has a newer version. */
export default function BrowserNotices() {
  const isOnline = useSyncExternalStore(
    subscribeToNetwork,
    () => !isOffline(),
    () => true,
  );
  const unsent = useUnsent();

  // Outside React: the browser's fetch, and the links of the page.
  useEffect(interceptRouterRequests, []);
  useEffect(loadRestedLinks, []);

  return (
    <TopLayer raisedBy={`${isOnline} ${unsent.isUnsent}`}>
      <div role="status" className="browser-notices grid justify-items-center gap-2 px-4">
        {unsent.isUnsent ? (
          <UnsentNotice isOnline={isOnline} unsent={unsent} />
        ) : (
          <NetworkNotice isOnline={isOnline} />
        )}
        <VersionNotice />
      </div>
    </TopLayer>
  );
}

type UnsentNoticeProps = { isOnline: boolean; unsent: ReturnType<typeof useUnsent> };

function UnsentNotice({ isOnline, unsent }: UnsentNoticeProps) {
  const { t } = useTranslation();
  const { isTrying, tryAgain, dismiss } = unsent;
  return (
    <NoticeLine
      isError
      icon={!isOnline && <Icon name="wifi-off" className="size-4 shrink-0 text-danger" />}
      actions={
        <>
          <Button type="button" variant="secondary" isBusy={isTrying} onClick={tryAgain}>
            {t(isOnline ? "network.send" : "actions.tryAgain")}
          </Button>
          {dismiss && (
            <button
              type="button"
              aria-label={t("actions.close")}
              className={buttonClass("quiet", "unsent-close ms-auto -me-3")}
              onClick={dismiss}
            >
              <Icon name="x" className="size-4" />
            </button>
          )}
        </>
      }
    >
      {t(isOnline ? "network.sendNow" : "network.notSent")}
    </NoticeLine>
  );
}

function NetworkNotice({ isOnline }: { isOnline: boolean }) {
  const { t } = useTranslation();
  const [wasOffline, setWasOffline] = useState(!isOnline);

  // Outside React: a timer that hides the "back online" notice.
  useEffect(() => {
    if (!isOnline) setWasOffline(true);
    if (!isOnline || !wasOffline) return;
    const timer = setTimeout(() => setWasOffline(false), BACK_ONLINE_NOTICE_MS);
    return () => clearTimeout(timer);
  }, [isOnline, wasOffline]);

  if (!isOnline) {
    return (
      <NoticeLine icon={<Icon name="wifi-off" className="size-4 shrink-0 text-warning" />}>
        {t("network.offline")}
      </NoticeLine>
    );
  }
  return wasOffline ? <NoticeLine>{t("network.online")}</NoticeLine> : null;
}

function VersionNotice() {
  const { t } = useTranslation();
  const { version } = useDocument().settings;
  const [isOutdated, setIsOutdated] = useState(false);

  // Outside React: the server's version, asked for at intervals and when the page becomes visible.
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
    <NoticeLine
      actions={
        <Button type="button" variant="secondary" onClick={() => location.reload()}>
          {t("version.reload")}
        </Button>
      }
    >
      {t("version.outdated")}
    </NoticeLine>
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
