import { Form } from "react-router";
import { Button } from "../../ui/button.tsx";
import { type Column, DataList, type ListState } from "../../ui/data-list.tsx";
import { FilterForm, FilterSelect } from "../../ui/filter-form.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { MAIL_STATES } from "./states.ts";

type MailRow = {
  id: string;
  kind: string;
  recipient: string;
  state: (typeof MAIL_STATES)[number];
  tries: number;
  providerId: string | null;
  lastError: string | null;
  createdAt: Date;
};

type MailLogProps = {
  rows: MailRow[];
  state: ListState;
  filters: { state?: string };
  now: Date;
};

/** What became of each mail. */
export function MailLog({ rows, state, filters, now }: MailLogProps) {
  const { t } = useTranslation("logs");
  const columns: Column<MailRow>[] = [
    {
      key: "queued",
      label: t("mail.queued"),
      cell: ({ createdAt }) => <RelativeTime date={createdAt} now={now} />,
    },
    {
      key: "kind",
      label: t("mail.kind"),
      cell: ({ kind }) => t(`mail.kinds.${kind as "login-code"}`),
    },
    {
      key: "recipient",
      label: t("mail.recipient"),
      cell: ({ recipient }) => <bdi>{recipient}</bdi>,
    },
    {
      key: "state",
      label: t("mail.state"),
      cell: (mail) => (
        <span className="inline-flex min-h-11 items-center gap-3">
          {t(`mail.states.${mail.state}`)}
          {mail.state === "waiting" && (
            <Form method="post">
              <Button variant="secondary" name="mail" value={mail.id}>
                {t("mail.sendNow")}
              </Button>
            </Form>
          )}
        </span>
      ),
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
      searchPlaceholder={t("mail.recipient")}
      toolbar={
        <FilterForm state={state}>
          <FilterSelect
            name="state"
            label={t("mail.state")}
            value={filters.state}
            options={MAIL_STATES.map((name) => [name, t(`mail.states.${name}`)])}
          />
        </FilterForm>
      }
    />
  );
}
