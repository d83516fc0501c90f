import { href, Link } from "react-router";
import { type Column, DataList, type ListState } from "../../ui/data-list.tsx";
import { FilterDays, FilterForm, FilterSelect } from "../../ui/filter-form.tsx";
import { isolate } from "../../ui/isolate.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { AUDIT_ACTIONS, type AuditAction } from "./actions.ts";

type AuditRow = {
  id: string;
  action: string;
  actorId: string | null;
  actor: string | null;
  impersonator: string | null;
  targetType: string | null;
  targetId: string | null;
  target: string | null;
  details: Record<string, unknown> | null;
  ipAddress: string | null;
  createdAt: Date;
};

type AuditLogProps = {
  rows: AuditRow[];
  state: ListState;
  filters: { action?: string; from?: string; to?: string };
  now: Date;
};

/** Who did what to whom, when and from where. */
export function AuditLog({ rows, state, filters, now }: AuditLogProps) {
  const { t } = useTranslation("logs");
  const { t: eventName } = useTranslation("events");
  const nameOf = (action: string) => eventName(action as AuditAction);
  const columns: Column<AuditRow>[] = [
    {
      key: "when",
      label: t("audit.when"),
      cell: ({ createdAt }) => <RelativeTime date={createdAt} now={now} />,
    },
    {
      key: "what",
      label: t("audit.what"),
      cell: ({ action, details }) => (
        <span className="grid gap-1 py-1">
          <span className="font-medium">{nameOf(action)}</span>
          {details && (
            <details>
              <summary className="text-xs text-muted">{t("audit.details")}</summary>
              <pre
                dir="ltr"
                className="max-w-96 overflow-x-auto pt-1 font-mono text-xs whitespace-pre-wrap"
              >
                {JSON.stringify(details, null, 2)}
              </pre>
            </details>
          )}
        </span>
      ),
    },
    {
      key: "who",
      label: t("audit.who"),
      cell: ({ actor, actorId, impersonator }) => (
        <>
          <bdi>{actor ?? actorId ?? t("audit.system")}</bdi>
          {impersonator && ` ${t("audit.as", { name: isolate(impersonator) })}`}
        </>
      ),
    },
    { key: "whom", label: t("audit.whom"), cell: (row) => <Target row={row} /> },
    {
      key: "where",
      label: t("audit.where"),
      cell: ({ ipAddress }) => <bdi className="text-muted">{ipAddress ?? "—"}</bdi>,
    },
  ];
  return (
    <DataList
      label={t("audit.title")}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      state={state}
      filters={filters}
      searchPlaceholder={t("audit.searchHint")}
      exportPath={href("/manager/audit/export")}
      toolbar={
        <FilterForm state={state}>
          <FilterSelect
            name="action"
            label={t("audit.what")}
            value={filters.action}
            options={AUDIT_ACTIONS.map((action) => [action, nameOf(action)])}
          />
          <FilterDays from={filters.from} to={filters.to} />
        </FilterForm>
      }
    />
  );
}

function Target({ row }: { row: AuditRow }) {
  const { targetType, targetId, target } = row;
  if (!targetId) return <>—</>;
  const label = <bdi className="block max-w-56 truncate">{target ?? targetId}</bdi>;
  if (targetType === "user" && target) {
    return (
      <Link
        className="underline underline-offset-4"
        to={href("/manager/users/:id", { id: targetId })}
      >
        {label}
      </Link>
    );
  }
  return label;
}
