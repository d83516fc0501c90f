import { useTranslation } from "../text/translation.tsx";

/** First link for keyboards: skips the navigation and goes to the main content (`#main`). */
export function SkipLink() {
  const { t } = useTranslation();
  return (
    <a
      href="#main"
      className="fixed start-4 top-4 z-50 rounded-md bg-panel px-4 py-3 text-sm shadow-high not-focus:sr-only"
    >
      {t("skipToContent")}
    </a>
  );
}
