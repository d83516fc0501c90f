import "./browser-notices.css";
import { useEffect, useState, useSyncExternalStore } from "react";
import { href, useLocation, useMatches } from "react-router";
import { UNSENT, type Unsent } from "../../http/lost-network.ts";
import { enterFinds } from "../../lists/filters/enter-finds.ts";
import { NoticeLine } from "../../ui/feedback/notice-line.tsx";
import { loadErrorPage } from "../../ui/feedback/route-error-page.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { useDocument } from "../../ui/layout/document.tsx";
import { keepFocus } from "../../ui/layout/keep-focus.ts";
import { moveInMenus } from "../../ui/overlays/menu-keys.ts";
import { TopLayer } from "../../ui/overlays/top-layer.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { hasDraft } from "./drafts.ts";
import { KeptDrafts } from "./kept-drafts.tsx";
import { OfflineNavigation } from "./offline-navigation.tsx";

const VERSION_CHECK_INTERVAL_MS = 5 * 60_000;
const BACK_ONLINE_NOTICE_MS = 4_000;

/**
 * Notices about the browser's state: the network is lost or back, or the server has a newer
 * version. The code for keyboards loads with them, because the first paint does not need it.
 */
export default function BrowserNotices() {
  useErrorPage();
  useKeyboard();
  const isOnline = useSyncExternalStore(
    subscribeToNetwork,
    () => navigator.onLine,
    () => true,
  );
  const unsent = useUnsent();
  const { t } = useTranslation();
  const owner = useOwner();
  const kept = !isOnline && owner && hasDraft(owner) ? t("network.kept") : undefined;
  return (
    <>
      {owner && <KeptDrafts key={owner} owner={owner} />}
      <OfflineNavigation isOnline={isOnline} kept={kept} />
      <TopLayer raisedBy={`${isOnline} ${unsent}`}>
        <div role="status" className="browser-notices grid justify-items-center gap-2 px-4">
          {unsent ? (
            <UnsentNotice reason={unsent} />
          ) : (
            <NetworkNotice isOnline={isOnline} kept={kept} />
          )}
          <VersionNotice />
        </div>
      </TopLayer>
    </>
  );
}

/**
 * Returns the e-mail of the signed-in user, the owner of this tab's drafts. The layouts of both
 * areas load it.
 */
function useOwner(): string | undefined {
  const users = useMatches().map(({ loaderData }) => memberOf(loaderData, "user"));
  const email = memberOf(users.find(Boolean), "email");
  return typeof email === "string" ? email : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Loads the code of the page for errors while there is a network. */
function useErrorPage(): void {
  // Outside React: the network.
  useEffect(() => void loadErrorPage().catch(() => undefined), []);
}

function useKeyboard(): void {
  // Outside React: the focus and the keys of the whole page.
  useEffect(() => {
    const ends = [keepFocus(), moveInMenus(), enterFinds()];
    return () => {
      for (const end of ends) end();
    };
  }, []);
}

function subscribeToNetwork(notify: () => void) {
  addEventListener("online", notify);
  addEventListener("offline", notify);
  return () => {
    removeEventListener("online", notify);
    removeEventListener("offline", notify);
  };
}

/** Returns why a form of this screen may not be saved, until it is sent again or the network is back. */
function useUnsent(): Unsent | undefined {
  const { pathname } = useLocation();
  const [unsent, setUnsent] = useState<{ reason: Unsent; pathname: string }>();

  // Outside React: the forms of the page, and the network.
  useEffect(() => {
    const note = (event: Event) => {
      const reason: Unsent | undefined = event instanceof CustomEvent ? event.detail : undefined;
      setUnsent(reason && { reason, pathname: location.pathname });
    };
    addEventListener(UNSENT, note);
    addEventListener("online", note);
    return () => {
      removeEventListener(UNSENT, note);
      removeEventListener("online", note);
    };
  }, []);

  return unsent?.pathname === pathname ? unsent.reason : undefined;
}

function UnsentNotice({ reason }: { reason: Unsent }) {
  const { t } = useTranslation();
  if (reason === "database") {
    return <NoticeLine isError>{t("network.notAnswered")}</NoticeLine>;
  }
  return (
    <NoticeLine isError icon={<Icon name="wifi-off" className="size-4 shrink-0 text-danger" />}>
      {t("network.notSent")}
    </NoticeLine>
  );
}

function NetworkNotice({ isOnline, kept }: { isOnline: boolean; kept: string | undefined }) {
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
        {t("network.offline")} {kept}
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
