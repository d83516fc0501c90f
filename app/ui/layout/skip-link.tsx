import { useTranslation } from "../text/translation.tsx";

type SkipLinkProps = {
  /** True in the style guide, which shows the link without focus. */
  isShown?: boolean;
};

/** First link for keyboards: skips the navigation and goes to the main content (`#main`). */
export function SkipLink({ isShown }: SkipLinkProps) {
  const { t } = useTranslation();
  return (
    <a
      href="#main"
      className={`fixed start-4 top-4 z-50 rounded-md bg-panel px-4 py-3 text-sm shadow-high ${isShown ? "outline-2 outline-offset-2 outline-accent-ink" : "not-focus:sr-only"}`}
    >
      {t("skipToContent")}
    </a>
  );
}
