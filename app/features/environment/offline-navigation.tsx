import "../../ui/overlays/drawer.css";
import { useEffect, useId, useRef } from "react";
import { Link, type Location, useBlocker } from "react-router";
import { Button, buttonClass } from "../../ui/forms/button.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";

type OfflineNavigationProps = {
  isOnline: boolean;
  /** Says that a draft is kept. */
  kept: string | undefined;
};

/**
 * Keeps the current screen when a link is followed offline. The code of the next one may not be
 * loaded, and the browser would show its own error. A dialog says so, opens the next screen once
 * there is a network, and leads back to what was typed.
 */
export function OfflineNavigation({ isOnline, kept }: OfflineNavigationProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      !navigator.onLine && currentLocation.pathname !== nextLocation.pathname,
  );

  // Outside React: the network, which opens the screen that was asked for.
  useEffect(() => {
    if (isOnline && blocker.state === "blocked") blocker.proceed();
  }, [isOnline, blocker]);

  // Outside React: a link's code is loaded early when the pointer or the focus is on it. Offline
  // that fails, and the router would load the page again, which the browser cannot.
  useEffect(() => {
    if (isOnline) return;
    for (const type of EARLY) addEventListener(type, hide, { capture: true });
    return () => {
      for (const type of EARLY) removeEventListener(type, hide, { capture: true });
    };
  }, [isOnline]);

  if (blocker.state !== "blocked") return null;
  return <OfflineDialog to={blocker.location} kept={kept} onBack={() => blocker.reset()} />;
}

/** Events at which the router loads the code of a link. */
const EARLY = ["mouseover", "focusin", "touchstart"];

/** Hides an event at a link from the router. */
function hide(event: Event): void {
  if (event.target instanceof Element && event.target.closest("a[href]")) event.stopPropagation();
}

type OfflineDialogProps = Pick<OfflineNavigationProps, "kept"> & {
  to: Location;
  onBack: () => void;
};

function OfflineDialog({ to, kept, onBack }: OfflineDialogProps) {
  const { t } = useTranslation();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);

  // Outside React: the browser's dialog, which gives the focus back.
  useEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className="form-drawer border border-line bg-panel p-6 text-ink shadow-high"
      onCancel={(event) => {
        event.preventDefault();
        onBack();
      }}
    >
      <div className="grid gap-4">
        <div className="grid gap-1">
          <h2 id={id} className="text-lg font-semibold">
            {t("network.pageTitle")}
          </h2>
          <p className="text-sm text-muted">{t("network.pageText")}</p>
          {kept && <p className="text-sm text-muted">{kept}</p>}
        </div>
        <div className="flex justify-end gap-3 max-md:*:flex-1">
          <Button type="button" variant="secondary" onClick={onBack}>
            {t("actions.back")}
          </Button>
          <Link to={to} className={buttonClass()}>
            <Icon name="rotate-cw" className="size-4" />
            {t("actions.tryAgain")}
          </Link>
        </div>
      </div>
    </dialog>
  );
}
