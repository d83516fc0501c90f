import { type ComponentType, lazy, Suspense } from "react";
import {
  data,
  href,
  Links,
  type MiddlewareFunction,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useMatches,
  useRouteLoaderData,
} from "react-router";
import type { Route } from "./+types/root.ts";
import { EnvironmentBar } from "./features/environment/environment-bar.tsx";
import { ThemeStorage, themeScript } from "./features/preferences/theme-storage.tsx";
import { useTimeZoneMemory } from "./features/preferences/use-time-zone-memory.ts";
import { requestContext } from "./http/request-context.ts";
import { takeToast } from "./http/toast.ts";
import { DEFAULT_LANGUAGE, directionOf, fontScaleOf, isLanguage } from "./i18n/languages.ts";
import { beforeAnswer } from "./middleware/before-answer.ts";
import { locale } from "./middleware/locale.ts";
import { findImpersonation, session } from "./middleware/session.ts";
import { theme } from "./middleware/theme.ts";
import stylesheet from "./styles/app.css?url";
import { PendingBar } from "./ui/feedback/pending-bar.tsx";
import { RouteErrorPage } from "./ui/feedback/route-error-page.tsx";
import { FlashToast } from "./ui/feedback/toasts.tsx";
import { type Impersonation, useDocument } from "./ui/layout/document.tsx";
import { useIsHydrated } from "./ui/layout/use-is-hydrated.ts";
import { useTranslation } from "./ui/text/translation.tsx";

/** Not part of the first paint, so its code loads later. The page works without it. */
const BrowserNotices = lazy<ComponentType>(() =>
  import("./features/environment/browser-notices.tsx").catch(() => ({ default: () => null })),
);

/**
 * Loaded separately because few pages need it. Those wait for it, because it is in their first paint. If it cannot be
 * loaded, the stop button is shown alone.
 */
const ImpersonationBanner = lazy<ComponentType<Impersonation>>(() =>
  import("./features/auth/impersonation/impersonation-banner.tsx").catch(() => ({
    default: StopButton,
  })),
);

export const middleware: MiddlewareFunction<Response>[] = [locale, theme, beforeAnswer, session];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { toast, headers } = takeToast(request);
  const { timeZone } = context.get(requestContext);
  return data({ toast, timeZone, impersonation: await findImpersonation(context) }, { headers });
}

export function Layout({ children }: { children: React.ReactNode }) {
  const { t, i18n } = useTranslation();
  const { nonce, theme, settings } = useDocument();
  const { logo, icons } = settings.brand;
  const icon = logo && (icons?.page ?? logo.light);
  const isHydrated = useIsHydrated();
  useTimeZoneMemory();
  const impersonation = useImpersonation();
  const matches = useMatches();
  const namespaces = ["common", ...matches.flatMap(({ handle }) => namespacesOf(handle))];
  const language = isLanguage(i18n.language) ? i18n.language : DEFAULT_LANGUAGE;
  return (
    <html
      lang={language}
      dir={directionOf(language)}
      data-theme={theme === "system" ? undefined : theme}
      data-settings={JSON.stringify(settings)}
      // The script below may have painted a theme that the server could not know.
      suppressHydrationWarning
      style={{ "--font-scale": fontScaleOf(language) }}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="description" content={t("description", { product: settings.brand.name })} />
        {settings.brand.accentStyles && (
          // The stylesheet has an accent too. This one wins, because the stylesheet has it in a layer.
          <style>{settings.brand.accentStyles}</style>
        )}
        <meta name="theme-color" content="#fdfcfd" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#121113" media="(prefers-color-scheme: dark)" />
        {icon ? (
          <link rel="icon" href={icon.src} type={icon.type} />
        ) : (
          <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        )}
        <link rel="apple-touch-icon" href={(icons?.touch ?? logo?.light)?.src ?? "/icon-180.png"} />
        <link rel="manifest" href="/manifest.webmanifest" />
        <link rel="stylesheet" href={stylesheet} precedence="default" />
        {/* A half-read page is not painted: the layout would shift as the rest arrives. */}
        {import.meta.env.SSR && <link rel="expect" href="#end" blocking="render" />}
        <Links nonce={nonce} />
        {(isHydrated ? [] : namespaces).map((namespace) => (
          <link
            key={namespace}
            rel="preload"
            as="fetch"
            crossOrigin="anonymous"
            href={settings.translationFiles[namespace]}
          />
        ))}
        <script
          nonce={nonce}
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, run before the first paint
          dangerouslySetInnerHTML={{ __html: themeScript }}
        />
      </head>
      <body>
        <EnvironmentBar />
        <PendingBar />
        {impersonation && <ImpersonationBanner {...impersonation} />}
        {children}
        {isHydrated && (
          <Suspense>
            <BrowserNotices />
          </Suspense>
        )}
        <ThemeStorage />
        <ScrollRestoration nonce={nonce} id="end" />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

function StopButton({ name, email }: Impersonation) {
  const { t } = useTranslation();
  return (
    <form method="post" action={href("/stop-impersonating")}>
      <button type="submit">{`${t("impersonation.stop")} (${name || email})`}</button>
    </form>
  );
}

function namespacesOf(handle: unknown): string[] {
  if (typeof handle !== "object" || handle === null || !("i18n" in handle)) return [];
  const names = Array.isArray(handle.i18n) ? handle.i18n : [handle.i18n];
  return names.filter((name) => typeof name === "string");
}

export default function Root({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <FlashToast toast={loaderData.toast} />
      <Outlet />
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const isManager = useLocation().pathname.startsWith(href("/manager"));
  const isClosed = useImpersonation() !== null && isManager;
  return <RouteErrorPage error={error} isClosed={isClosed} />;
}

/** Returns the impersonation of this session, also when no loader has run. */
function useImpersonation() {
  const { settings } = useDocument();
  const loaded = useRouteLoaderData<typeof loader>("root");
  return loaded ? loaded.impersonation : settings.impersonation;
}
