import { useEffect, useState } from "react";
import { useNavigation } from "react-router";
import { useTranslation } from "./translation.tsx";

const SHOW_AFTER_MS = 150;

/** A thin bar while a navigation takes longer than a blink. */
export function PendingBar() {
  const { t } = useTranslation();
  const isPending = useNavigation().state !== "idle";
  const [isShown, setIsShown] = useState(false);

  // Outside React: the timer that keeps quick navigations quiet.
  useEffect(() => {
    if (!isPending) {
      setIsShown(false);
      return;
    }
    const timer = setTimeout(() => setIsShown(true), SHOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isPending]);

  return isShown ? (
    <div role="progressbar" aria-label={t("loading")} className="pending-bar" />
  ) : null;
}
