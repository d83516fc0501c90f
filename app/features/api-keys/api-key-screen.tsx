import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { Panel, panelClass } from "../../ui/layout/panel.tsx";
import { Breadcrumb, BreadcrumbLink, ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { DayBars } from "../../ui/text/day-bars.tsx";
import { Dotted } from "../../ui/text/dotted.tsx";
import { Labelled } from "../../ui/text/labelled.tsx";
import { LocalTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { ApiKeyFacts, type ShownKey } from "./api-key-facts.tsx";
import { CALL_LOG_DAYS, type CallDay, LISTED_CALLS, type ListedCall } from "./call-log.ts";
import { DocsLink } from "./docs-link.tsx";

type ApiKeyScreenProps = {
  shown: ShownKey;
  calls: ListedCall[];
  days: CallDay[];
  isShared: boolean;
  /** The name of the screen above the list of keys. */
  above: string;
  settings: string;
  list: string;
  now: Date;
};

/** A key, and its calls of the last days. */
export function ApiKeyScreen(props: ApiKeyScreenProps) {
  const { shown, calls, days, isShared, above, settings, list, now } = props;
  const { t } = useTranslation("api-keys");
  const format = useFormat();
  const numbers = { calls: format.number(LISTED_CALLS), days: format.number(CALL_LOG_DAYS) };
  return (
    <div className="mx-auto grid w-full max-w-3xl grid-cols-1 gap-6">
      <ScreenTitle>{`${shown.name} · ${t("title")}`}</ScreenTitle>
      <ScreenHeader
        title={<bdi className="wrap-anywhere">{shown.name}</bdi>}
        breadcrumb={
          <Breadcrumb>
            {[
              <BreadcrumbLink key="settings" to={settings}>
                {above}
              </BreadcrumbLink>,
              <BreadcrumbLink key="list" to={list}>
                {t("title")}
              </BreadcrumbLink>,
            ]}
          </Breadcrumb>
        }
      >
        <DocsLink />
      </ScreenHeader>
      <div className={`text-sm ${panelClass}`}>
        <ApiKeyFacts shown={shown} isShared={isShared} now={now} />
      </div>
      {calls.length === 0 ? (
        <EmptyState title={t("calls.none", numbers)} text={t("calls.noneText")} />
      ) : (
        <Panel title={t("calls.title")} intro={t("calls.intro", numbers)}>
          <DayBars
            title={t("calls.plot")}
            good={t("calls.answered")}
            bad={t("calls.refused")}
            counts={days.map(({ day, calls: all, refused }) => ({
              day,
              good: all - refused,
              bad: refused,
            }))}
            length={CALL_LOG_DAYS}
            now={now}
          />
          <ul className="grid divide-y divide-line text-sm">
            {calls.map((call) => (
              <CallRow key={`${call.day}.${call.number}`} {...call} />
            ))}
          </ul>
        </Panel>
      )}
    </div>
  );
}

function CallRow({ at, status, method, path, requestId }: ListedCall) {
  const { t } = useTranslation("api-keys");
  return (
    <li className="grid gap-1 py-2">
      <span className="flex flex-wrap gap-x-3" dir="ltr" lang="en">
        <code className={status >= 400 ? "text-danger" : "text-success"}>{status}</code>
        <code className="wrap-anywhere">
          {method} {path}
        </code>
      </span>
      <span className="text-muted">
        <Dotted>
          <LocalTime date={at} />
          <span className="wrap-anywhere">
            <Labelled label={t("calls.request")}>
              <code dir="ltr">{requestId}</code>
            </Labelled>
          </span>
        </Dotted>
      </span>
    </li>
  );
}
