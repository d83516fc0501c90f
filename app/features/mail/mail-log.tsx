import { Form } from "react-router";
import { FilterDays } from "../../lists/filters/filter-days.tsx";
import { FilterOptions } from "../../lists/filters/filters.tsx";
import type { ListState } from "../../lists/query/list-state.ts";
import { DataList } from "../../lists/table/data-list.tsx";
import type { Column } from "../../lists/table/list-table.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { useDocument } from "../../ui/layout/document.tsx";
import { ClockTime, useDayOf } from "../../ui/text/clock-time.tsx";
import { EmailText } from "../../ui/text/email-text.tsx";
import { RelativeTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useCan } from "../access/use-can.tsx";
import { DELIVERIES } from "./delivery.ts";
import { MailBadge } from "./mail-badge.tsx";
import { MailDetails, type MailRow } from "./mail-details.tsx";
import { MAIL_KINDS } from "./mail-message.ts";
import { MAIL_STATES } from "./states.ts";
import { useKindNames, useReasons } from "./use-kind-names.ts";

type MailLogProps = {
  rows: MailRow[];
  state: ListState;
  filters: { kind?: string; state?: string; delivery?: string; from?: string; to?: string };
  now: Date;
};

export function MailLog({ rows, state, filters, now }: MailLogProps) {
  const { t } = useTranslation("logs");
  const nameOf = useKindNames();
  const dayOf = useDayOf();
  return (
    <DataList
      label={t("mail.title")}
      columns={useColumns(now)}
      rows={rows}
      rowKey={({ id }) => id}
      titleOf={({ createdAt }) => dayOf(createdAt)}
      detailsOf={(mail) => <MailDetails mail={mail} />}
      state={state}
      filters={filters}
      searchPlaceholder={t("mail.searchHint")}
      searchText={t("mail.typeWhole")}
      emptyText={t("mail.none", { product: useDocument().settings.brand.name })}
      toolbar={
        <>
          <FilterOptions
            name="kind"
            label={t("mail.kind")}
            value={filters.kind}
            options={MAIL_KINDS.map((kind) => [kind, nameOf(kind)])}
          />
          <FilterOptions
            name="state"
            label={t("mail.state")}
            value={filters.state}
            options={MAIL_STATES.map((name) => [name, t(`mail.states.${name}`)])}
          />
          <FilterOptions
            name="delivery"
            label={t("mail.delivery")}
            value={filters.delivery}
            options={DELIVERIES.map((name) => [name, t(`mail.deliveries.${name}`)])}
          />
          <FilterDays label={t("mail.queued")} from={filters.from} to={filters.to} />
        </>
      }
    />
  );
}

function useColumns(now: Date): Column<MailRow>[] {
  const { t } = useTranslation("logs");
  const nameOf = useKindNames();
  const can = useCan();
  return [
    {
      key: "queued",
      label: t("mail.queued"),
      card: "end",
      cell: ({ createdAt }) => <ClockTime date={createdAt} />,
    },
    {
      key: "kind",
      label: t("mail.kind"),
      card: "line",
      cell: ({ kind }) => <bdi>{nameOf(kind)}</bdi>,
    },
    {
      key: "recipient",
      label: t("mail.recipient"),
      card: "title",
      cell: ({ recipient }) => (
        <EmailText isOneLine className="truncate font-medium">
          {recipient}
        </EmailText>
      ),
    },
    {
      key: "state",
      label: t("mail.state"),
      card: "end",
      cell: (mail) => <State mail={mail} now={now} />,
    },
    {
      key: "retry",
      label: "",
      card: "below",
      cell: (mail) => mail.canRetry && can("mail", "retry") && <Retry {...mail} />,
    },
  ];
}

/** The state, and beside it why the mail was not sent or did not arrive, and when it will be tried again. */
function State({ mail, now }: { mail: MailRow; now: Date }) {
  const { t } = useTranslation("logs");
  const { state, tries, nextTryAt } = mail;
  const reason = useReasons()(mail);
  return (
    <span className="flex flex-wrap items-center gap-x-2 leading-4.5">
      <MailBadge mail={mail} />
      <span className="list-wide max-w-72 truncate text-xs text-muted">
        {state === "waiting" && nextTryAt > now ? (
          <>
            {t("mail.nextTry")} <RelativeTime date={nextTryAt} now={now} />
          </>
        ) : (
          reason && <bdi title={reason}>{reason}</bdi>
        )}
        {tries > 1 && <span className="ms-2">{t("mail.attempts", { count: tries })}</span>}
      </span>
    </span>
  );
}

function Retry({ id, state }: MailRow) {
  const { t } = useTranslation("logs");
  return (
    <Form method="post" className="whitespace-nowrap @max-[820px]:pt-2">
      <Button variant="secondary" isSmall name="mail" value={id}>
        {t(state === "failed" ? "mail.sendAgain" : "mail.sendNow")}
      </Button>
    </Form>
  );
}
