import { useTranslation } from "./translation.tsx";

/** First link for keyboards: skips the navigation and goes to the main content (`#main`). */
export function SkipLink() {
  const { t } = useTranslation();
  return (
    <a
      href="#main"
      className="sr-only focus:not-sr-only focus:fixed focus:start-4 focus:top-4 focus:z-50 focus:rounded-md focus:bg-panel focus:px-4 focus:py-3 focus:text-sm focus:shadow-high"
    >
      {t("skipToContent")}
    </a>
  );
}
