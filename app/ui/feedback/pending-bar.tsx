import { useNavigation } from "react-router";
import { useTranslation } from "../text/translation.tsx";
import { useIsLate } from "./use-is-late.ts";

const SHOW_AFTER_MS = 150;

/** The bar, shown when a navigation takes longer than `SHOW_AFTER_MS`. */
export function PendingBar() {
  const isShown = useIsLate(useNavigation().state !== "idle", SHOW_AFTER_MS);
  return isShown ? <MovingBar /> : null;
}

function MovingBar() {
  const { t } = useTranslation();
  return (
    <div aria-live="polite">
      <div role="progressbar" aria-label={t("loading")} className="pending-bar" />
    </div>
  );
}
