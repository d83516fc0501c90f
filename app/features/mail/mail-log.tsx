import { Form } from "react-router";
import { DataList } from "../../lists/data-list.tsx";
import { FilterDays } from "../../lists/filter-days.tsx";
import { FilterOptions } from "../../lists/filters.tsx";
import type { ListState } from "../../lists/list-state.ts";
import type { Column } from "../../lists/list-table.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmailText } from "../../ui/email-text.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { MAIL_KINDS } from "./mail-message.ts";
import { MAIL_STATES } from "./states.ts";

type MailRow = {
  id: string;
  kind: string;
  recipient: string;
  state: (typeof MAIL_STATES)[number];
  tries: number;
  providerId: string | null;
  lastError: string | null;
  nextTryAt: Date;
  sentAt: Date | null;
  createdAt: Date;
  canRetry: boolean;
};

type MailLogProps = {
  rows: MailRow[];
  state: ListState;
  filters: { kind?: string; state?: string; from?: string; to?: string };
  now: Date;
};

const TONES: Record<MailRow["state"], string> = {
  waiting: "border-warning-line bg-warning-fill",
  sent: "border-success-line bg-success-fill",
  expired: "border-line bg-sunken",
  failed: "border-danger-line bg-danger-fill",
};

/** Table of mails with the delivery state of each. */
export function MailLog({ rows, state, filters, now }: MailLogProps) {
  const { t } = useTranslation("logs");
  const columns: Column<MailRow>[] = [
    {
      key: "queued",
      label: t("mail.queued"),
      card: "end",
      cell: ({ createdAt }) => <RelativeTime date={createdAt} now={now} />,
    },
    {
      key: "kind",
      label: t("mail.kind"),
      card: "line",
      cell: ({ kind }) => (isKind(kind) ? t(`mail.kinds.${kind}`) : <bdi>{kind}</bdi>),
    },
    {
      key: "recipient",
      label: t("mail.recipient"),
      card: "title",
      cell: ({ recipient }) => <EmailText>{recipient}</EmailText>,
    },
    {
      key: "state",
      label: t("mail.state"),
      card: "badge",
      cell: (mail) => <State mail={mail} now={now} />,
    },
    { key: "tries", label: t("mail.tries"), cell: ({ tries }) => tries },
    {
      key: "provider",
      label: t("mail.provider"),
      cell: ({ providerId }) => (
        <bdi className="block max-w-40 truncate font-mono text-xs text-muted">
          {providerId ?? "—"}
        </bdi>
      ),
    },
    {
      key: "lastError",
      label: t("mail.lastError"),
      cell: ({ lastError }) => <bdi className="text-muted">{lastError ?? "—"}</bdi>,
    },
  ];
  return (
    <DataList
      label={t("mail.title")}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      state={state}
      filters={filters}
      searchPlaceholder={t("mail.searchHint")}
      toolbar={
        <>
          <FilterOptions
            name="kind"
            label={t("mail.kind")}
            value={filters.kind}
            options={MAIL_KINDS.map((kind) => [kind, t(`mail.kinds.${kind}`)])}
          />
          <FilterOptions
            name="state"
            label={t("mail.state")}
            value={filters.state}
            options={MAIL_STATES.map((name) => [name, t(`mail.states.${name}`)])}
          />
          <FilterDays label={t("mail.queued")} from={filters.from} to={filters.to} />
        </>
      }
    />
  );
}

function State({ mail, now }: { mail: MailRow; now: Date }) {
  const { t } = useTranslation("logs");
  const { id, state, sentAt, nextTryAt, canRetry } = mail;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Badge tone={TONES[state]}>{t(`mail.states.${state}`)}</Badge>
      {sentAt && (
        <span className="text-xs text-muted">
          <RelativeTime date={sentAt} now={now} />
        </span>
      )}
      {state === "waiting" && nextTryAt > now && (
        <span className="text-xs text-muted">
          {t("mail.nextTry")} <RelativeTime date={nextTryAt} now={now} />
        </span>
      )}
      {canRetry && (
        <Form method="post">
          <Button variant="secondary" name="mail" value={id}>
            {t(state === "failed" ? "mail.sendAgain" : "mail.sendNow")}
          </Button>
        </Form>
      )}
    </span>
  );
}

function isKind(kind: string): kind is (typeof MAIL_KINDS)[number] {
  return MAIL_KINDS.some((known) => known === kind);
}
