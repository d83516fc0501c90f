import { type ComponentType, lazy, Suspense } from "react";
import { useTranslation } from "../text/translation.tsx";
import type { RouteErrorPageProps } from "./error-page.tsx";

/** Loads the page. `browser-notices.tsx` calls it early, because a page that is offline cannot. */
export const loadErrorPage = () => import("./error-page.tsx");

/**
 * Few pages show an error, so the browser loads the page's code after the first paint. The server has it at once: a page
 * without scripts could not replace what is drawn while it waits.
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
