import { type ComponentType, lazy, Suspense } from "react";
import { useTranslation } from "../text/translation.tsx";
import type { RouteErrorPageProps } from "./error-page.tsx";

/**
 * Loads the page's code. `browser-notices.tsx` calls it early, because it cannot be loaded offline.
 */
export const loadErrorPage = () => import("./error-page.tsx");

/**
 * Few pages show an error, so the browser loads the page's code after the first paint. The server
 * has it at once, because a page without scripts cannot replace a placeholder.
 */
const ErrorPage: ComponentType<RouteErrorPageProps> = import.meta.env.SSR
  ? (await loadErrorPage()).default
  : lazy(() => loadErrorPage().catch(() => ({ default: PlainErrorPage })));

/** The page for an error that a route threw. */
export function RouteErrorPage(props: RouteErrorPageProps) {
  return (
    <Suspense>
      <ErrorPage {...props} />
    </Suspense>
  );
}

/** Shown when the code of the error page cannot be loaded, such as after a new release. */
function PlainErrorPage() {
  const { t } = useTranslation();
  return (
    <p className="p-6">
      {t("errors.generic")} <a href="/">{t("actions.home")}</a>
    </p>
  );
}
