import { type ReactNode, useState } from "react";
import { Form, href, isRouteErrorResponse, Link } from "react-router";
import type { MessageKey } from "../../i18n/message-key.ts";
import { Button, type ButtonVariant, buttonClass } from "../forms/button.tsx";
import { ScreenTitle } from "../layout/document.tsx";
import { useIsHydrated } from "../layout/use-is-hydrated.ts";
import { Icon } from "../text/icon.tsx";
import type { IconName } from "../text/icon-names.ts";
import { Logo } from "../text/logo.tsx";
import { StateDisc } from "../text/state-disc.tsx";
import { SupportLink } from "../text/support-link.tsx";
import { useText, useTranslation } from "../text/translation.tsx";
import { OtherAccount } from "./other-account.tsx";
import { RetryLink } from "./retry-link.tsx";
import { SilentDatabase } from "./silent-database.tsx";

const PAGES = { 403: "forbidden", 404: "notFound", 500: "failed" } as const;

/** Pictures of the pages; others have a warning. */
const ICONS: Record<number, IconName> = { 403: "shield", 404: "search" };

/** What the generic page says about a status that has no page of its own. */
const SENTENCES = {
  409: "conflictText",
  413: "tooLargeText",
  429: "limitedText",
  503: "unavailableText",
} as const;

export type RelatedList = {
  path: string;
  label: MessageKey;
  /** Without it, the list has a search. */
  icon?: IconName;
};

export type RouteErrorPageProps = {
  error: unknown;
  isInShell?: boolean;
  /** The list in which what was not found may be. */
  list?: RelatedList;
  /** True for a screen that is closed during an impersonation. */
  isClosed?: boolean;
};

/** The page for an error that a route threw: 403, 404, 500, 503, or the generic page with "Try again". */
export default function RouteErrorPage(props: RouteErrorPageProps) {
  const { error, isInShell, list, isClosed } = props;
  const { t } = useTranslation();
  const isHydrated = useIsHydrated();
  // A failure while offline has that reason. On the server `navigator` has no `onLine`.
  const [isOffline] = useState(() => globalThis.navigator?.onLine === false);
  if (isRouteErrorResponse(error)) {
    if (error.status === 403 && isClosed) return <ClosedPage />;
    if (error.status === 503 && error.data?.isSilent) {
      return (
        <Frame title={t("errors.silent")} icon="clock" isInShell={isInShell}>
          <SilentDatabase posted={error.data.posted} />
        </Frame>
      );
    }
    const page = textFor(PAGES, error.status);
    const sentence = textFor(SENTENCES, error.status) ?? "failed";
    return page ? (
      <ErrorPage
        title={t(`errors.${page}`)}
        text={t(`errors.${page}Text`)}
        status={error.status}
        canRetry={error.status === 500}
        isInShell={isInShell}
        list={error.status === 404 ? list : undefined}
        signedInAs={error.data?.signedInAs}
      />
    ) : (
      <ErrorPage
        title={t("errors.generic")}
        text={t(`errors.${sentence}`)}
        status={error.status}
        canRetry
        isInShell={isInShell}
      />
    );
  }
  if (isHydrated && isOffline) return <OfflinePage isInShell={isInShell} />;
  return (
    <ErrorPage title={t("errors.generic")} canRetry isInShell={isInShell} stack={stackOf(error)} />
  );
}

function textFor<Text>(texts: Record<number, Text>, status: number): Text | undefined {
  return texts[status];
}

/** Only in development: in production an error's text may reveal internals. */
function stackOf(error: unknown): string | undefined {
  return import.meta.env.DEV && error instanceof Error ? error.stack : undefined;
}

type ErrorPageProps = {
  title: string;
  /** The reason, and what to do. */
  text?: string;
  status?: number;
  canRetry?: boolean;
  /** True inside a layout that has its own `<main>` and less room. */
  isInShell?: boolean;
  list?: RelatedList;
  /** E-mail of the signed-in user, who may have another account with access. */
  signedInAs?: string;
  stack?: string;
};

function ErrorPage(props: ErrorPageProps) {
  const { title, text, status, canRetry, isInShell, list, signedInAs, stack } = props;
  const { t } = useTranslation();
  const textOf = useText();
  return (
    <Frame title={title} icon={ICONS[status ?? 0] ?? "triangle-alert"} isInShell={isInShell}>
      <div className="grid gap-2">
        {status && <p className="text-sm font-medium text-muted">{status}</p>}
        <h1 className="text-xl font-semibold">{title}</h1>
        {status === undefined && (
          <>
            <p className="font-medium">{t("errors.failed")}</p>
            <p className="text-muted">{t("errors.failedText")}</p>
          </>
        )}
        {text && <p className="text-muted">{text}</p>}
        {status === 403 && <SupportLink className="justify-center" />}
      </div>
      <div className="flex flex-wrap justify-center gap-3 max-sm:w-full max-sm:max-w-xs max-sm:flex-col">
        {canRetry ? <RetryLink label={t("actions.tryAgain")} /> : <HomeLink variant="primary" />}
        <Button
          type="button"
          variant="secondary"
          className="[@media(scripting:none)]:hidden"
          onClick={() => history.back()}
        >
          <Icon name="arrow-left" className="size-4" />
          {t("actions.back")}
        </Button>
        {list && (
          <Link to={list.path} className={buttonClass("secondary")}>
            <Icon name={list.icon ?? "search"} className="size-4" />
            {textOf(list.label)}
          </Link>
        )}
        {canRetry && <HomeLink variant="secondary" />}
      </div>
      {/* The header of a layout tells it too. */}
      {signedInAs && !isInShell && <OtherAccount email={signedInAs} />}
      {import.meta.env.DEV && stack && (
        <details className="group w-full text-start">
          <summary className="text-sm text-muted">
            <span className="group-open:hidden">{t("errors.show")}</span>
            <span className="hidden group-open:inline">{t("errors.hide")}</span>
          </summary>
          <pre dir="ltr" className="mt-2 overflow-x-auto rounded-md bg-fill p-4 font-mono text-xs">
            {stack}
          </pre>
        </details>
      )}
    </Frame>
  );
}

/** Loads a new document, so that no broken state is left. */
function HomeLink({ variant }: { variant: ButtonVariant }) {
  const { t } = useTranslation();
  return (
    <a href="/" className={buttonClass(variant)}>
      <Icon name="house" className="size-4" />
      {t("actions.home")}
    </a>
  );
}

/** The page for a screen that is closed during an impersonation. */
function ClosedPage() {
  const { t } = useTranslation();
  return (
    <Frame title={t("errors.forbidden")} icon="shield">
      <div className="grid gap-2">
        <p className="text-sm font-medium text-muted">403</p>
        <h1 className="text-xl font-semibold">{t("errors.forbidden")}</h1>
        <p className="text-muted">{t("impersonation.closed")}</p>
      </div>
      <div className="flex flex-wrap justify-center gap-3 max-sm:w-full max-sm:max-w-xs max-sm:flex-col">
        <Form method="post" action={href("/stop-impersonating")} className="grid">
          <Button>{t("impersonation.stop")}</Button>
        </Form>
        <HomeLink variant="secondary" />
      </div>
    </Frame>
  );
}

/** The page for an error caused by a lost network. Its button presses itself when the browser is back online. */
function OfflinePage({ isInShell }: { isInShell?: boolean }) {
  const { t } = useTranslation();
  return (
    <Frame title={t("network.pageTitle")} icon="wifi-off" isInShell={isInShell}>
      <div className="grid gap-2">
        <h1 className="text-xl font-semibold">{t("network.pageTitle")}</h1>
        <p className="text-muted">{t("network.pageText")}</p>
      </div>
      <RetryLink label={t("actions.tryAgain")} />
    </Frame>
  );
}

type FrameProps = { title: string; icon: IconName; isInShell?: boolean; children: ReactNode };

function Frame({ title, icon, isInShell, children }: FrameProps) {
  const Container = isInShell ? "div" : "main";
  return (
    <Container
      className={`relative grid place-items-center p-6 ${isInShell ? "min-h-[60dvh]" : "min-h-dvh"}`}
    >
      <ScreenTitle>{title}</ScreenTitle>
      {!isInShell && (
        <span className="absolute inset-x-4 top-4 flex">
          <Logo />
        </span>
      )}
      <div className="grid w-full max-w-md justify-items-center gap-6 text-center [&_p]:mx-auto [&_p]:text-balance max-sm:[&_p]:max-w-xs">
        <StateDisc name={icon} tone="quiet" />
        {children}
      </div>
    </Container>
  );
}
