import { useTranslation } from "../text/translation.tsx";

type LastResortProps = { status: 404 | 500 | 503; reference: string };

/**
 * The page for when no error page can be drawn (specification, section 8, last line). Its details show the request's
 * reference and nothing about the error. It works without JavaScript.
 */
export function LastResort({ status, reference }: LastResortProps) {
  const { t } = useTranslation();
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div className="grid w-full max-w-md gap-6 text-center">
        <h1 className="text-xl font-semibold">{lastResortTitle(t, status)}</h1>
        {status === 503 && <p className="text-muted">{t("errors.silentText")}</p>}
        {status === 500 && (
          <details className="group">
            <summary className="inline-flex min-h-11 cursor-pointer items-center text-sm text-muted">
              <span className="group-open:hidden">{t("errors.show")}</span>
              <span className="hidden group-open:inline">{t("errors.hide")}</span>
            </summary>
            <p>{t("errors.lastResortDetail")}</p>
            <p className="mt-2 break-all font-mono text-sm">
              {t("errors.reference", { reference })}
            </p>
          </details>
        )}
        <a href="/" className="text-accent-ink underline">
          {t("actions.home")}
        </a>
      </div>
    </main>
  );
}

type Translate = ReturnType<typeof useTranslation>["t"];

export function lastResortTitle(t: Translate, status: LastResortProps["status"]): string {
  if (status === 503) return t("errors.silent");
  return t(status === 404 ? "errors.lastResortMissing" : "errors.lastResort");
}
