import { href } from "react-router";
import { DataList } from "../../lists/data-list.tsx";
import { FilterDays } from "../../lists/filter-days.tsx";
import { FilterOptions, FilterReference } from "../../lists/filters.tsx";
import type { ListState } from "../../lists/list-state.ts";
import type { Column } from "../../lists/list-table.tsx";
import { aroundValue } from "../../ui/around-value.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { AUDIT_ACTIONS, type AuditAction } from "./actions.ts";
import type { Party } from "./audit-log.server.ts";
import { ChangeLines } from "./change-lines.tsx";
import type { Change } from "./changes.ts";
import { PartyName } from "./party-name.tsx";

type AuditRow = {
  id: string;
  action: string;
  actor: Party | undefined;
  impersonator: Party | undefined;
  target: Party | undefined;
  changes: Change[];
  place: string | null;
  ipAddress: string | null;
  device: { browser: string; system: string } | undefined;
  createdAt: Date;
};

type AuditLogProps = {
  rows: AuditRow[];
  state: ListState;
  filters: { actor?: string; target?: string; action?: string; from?: string; to?: string };
  names: { actor: string | undefined; target: string | undefined };
  now: Date;
};

/** Table of audit events: actor, action, target, time and origin. */
export function AuditLog({ rows, state, filters, names, now }: AuditLogProps) {
  const { t } = useTranslation("logs");
  const nameOf = useActionNames();
  const columns = useColumns(now);
  return (
    <DataList
      label={t("audit.title")}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      state={state}
      filters={filters}
      isSearchable={false}
      exportPath={href("/manager/audit/export")}
      toolbar={
        <>
          <FilterReference
            name="actor"
            label={t("audit.who")}
            hint={t("audit.referenceHint")}
            value={filters.actor}
            title={names.actor}
          />
          <FilterReference
            name="target"
            label={t("audit.whom")}
            hint={t("audit.referenceHint")}
            value={filters.target}
            title={names.target}
          />
          <FilterOptions
            name="action"
            label={t("audit.what")}
            value={filters.action}
            options={AUDIT_ACTIONS.map((action) => [action, nameOf(action)])}
          />
          <FilterDays label={t("audit.when")} from={filters.from} to={filters.to} />
        </>
      }
    />
  );
}

/** Returns a function that names an action in the reader's language. */
function useActionNames(): (action: string) => string {
  const { t } = useTranslation("events");
  return (action) => t(action as AuditAction);
}

function useColumns(now: Date): Column<AuditRow>[] {
  const { t } = useTranslation("logs");
  const nameOf = useActionNames();
  return [
    {
      key: "when",
      label: t("audit.when"),
      card: "end",
      cell: ({ createdAt }) => <RelativeTime date={createdAt} now={now} />,
    },
    {
      key: "what",
      label: t("audit.what"),
      card: "title",
      cell: ({ action, changes }) => (
        <span className="grid gap-1 py-1">
          <span className="font-medium">{nameOf(action)}</span>
          <ChangeLines changes={changes} />
        </span>
      ),
    },
    { key: "who", label: t("audit.who"), card: "line", cell: (row) => <Actor {...row} /> },
    {
      key: "whom",
      label: t("audit.whom"),
      cell: ({ target }) => (target ? <PartyName party={target} /> : "—"),
    },
    {
      key: "where",
      label: t("audit.where"),
      cell: ({ place, ipAddress, device }) => (
        <span className="grid text-muted">
          {place && (
            <span>
              <bdi>{place}</bdi>
            </span>
          )}
          <span>
            <bdi>{ipAddress ?? "—"}</bdi>
          </span>
          {device && <span>{t("audit.device", device)}</span>}
        </span>
      ),
    },
  ];
}

function Actor({ actor, impersonator }: Pick<AuditRow, "actor" | "impersonator">) {
  const { t } = useTranslation("logs");
  const [before, after] = aroundValue((name) => t("audit.as", { name }));
  return (
    <span className="grid">
      {actor ? <PartyName party={actor} /> : t("audit.system")}
      {impersonator && (
        <span className="text-muted">
          {before}
          <PartyName party={impersonator} />
          {after}
        </span>
      )}
    </span>
  );
}
