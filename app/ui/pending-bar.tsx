import { useNavigation } from "react-router";
import { useTranslation } from "./translation.tsx";
import { useIsLate } from "./use-is-late.ts";

const SHOW_AFTER_MS = 150;

/** A thin bar, shown when a navigation takes longer than `SHOW_AFTER_MS`. */
export function PendingBar() {
  const { t } = useTranslation();
  const isShown = useIsLate(useNavigation().state !== "idle", SHOW_AFTER_MS);
  return isShown ? (
    <div aria-live="polite">
      <div role="progressbar" aria-label={t("loading")} className="pending-bar" />
    </div>
  ) : null;
}
