import type { ReactNode } from "react";
import { Link } from "react-router";
import type { BulkAnswer } from "../../lists/bulk/bulk-report.ts";
import { FilterDays } from "../../lists/filters/filter-days.tsx";
import { FilterOptions } from "../../lists/filters/filters.tsx";
import type { ListState } from "../../lists/query/list-state.ts";
import { FROM_LIST } from "../../lists/table/back-link.tsx";
import { DataList } from "../../lists/table/data-list.tsx";
import type { Column } from "../../lists/table/list-table.tsx";
import type { RowMenuOptions } from "../../lists/table/row-menu.tsx";
import { ConfirmDrawer } from "../../ui/overlays/confirm-drawer.tsx";
import { Amount, Day } from "../../ui/text/amount.tsx";
import { Badge } from "../../ui/text/badge.tsx";
import { RelativeTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Money } from "../../values/money.ts";
import { STATUS_CHOICES } from "./invoice-limits.ts";
import type { InvoiceFilters } from "./invoice-list.server.ts";

type InvoiceRow = {
  id: string;
  number: string;
  customer: string;
  amount: Money;
  dueOn: string | null;
  status: (typeof STATUS_CHOICES)[number];
  updatedAt: Date;
  organization: string;
};

type InvoiceListProps = {
  rows: InvoiceRow[];
  state: ListState;
  filters: InvoiceFilters;
  now: Date;
  pathOf: (id: string) => string;
  /** True where the rows of several organizations are together. */
  isOfSite?: boolean;
  exportPath?: string | undefined;
  /** A link on a phone, at the end of the toolbar. */
  toolbarEnd?: ReactNode;
  emptyAction?: ReactNode;
  /** What the bulk form answered; undefined where rows cannot be chosen. */
  chosen?: { answer: BulkAnswer | undefined } | undefined;
  rowMenu?: RowMenuOptions<InvoiceRow> | undefined;
};

/** List of invoices. */
export function InvoiceList(props: InvoiceListProps) {
  const {
    rows,
    state,
    filters,
    now,
    pathOf,
    exportPath,
    toolbarEnd,
    emptyAction,
    chosen,
    rowMenu,
  } = props;
  const { t } = useTranslation("invoices");
  const { t: record } = useTranslation("records");
  const columns: Column<InvoiceRow>[] = [
    {
      key: "number",
      label: t("fields.number"),
      card: "title",
      sort: "number",
      cell: (row) => (
        <Link prefetch="intent" to={pathOf(row.id)} state={FROM_LIST} className="list-link">
          <bdi>{row.number}</bdi>
        </Link>
      ),
    },
    {
      key: "customer",
      label: t("fields.customer"),
      card: "line",

      cell: (row) => <bdi className="text-muted">{row.customer}</bdi>,
    },
    {
      key: "amount",
      label: t("fields.amount"),
      card: "end",
      isNumber: true,

      cell: (row) => <Amount money={row.amount} />,
    },
    {
      key: "dueOn",
      label: t("fields.dueOn"),

      sort: "dueOn",
      cell: (row) =>
        row.dueOn === null ? <span className="text-muted">–</span> : <Day day={row.dueOn} />,
    },
    {
      key: "status",
      label: t("fields.status"),
      card: "end",

      cell: (row) => (
        <Badge tone="border-line bg-sunken">{t(`choices.status.${row.status}`)}</Badge>
      ),
    },
    ...(props.isOfSite
      ? [
          {
            key: "organization",
            label: t("organization"),
            card: "below" as const,
            cell: ({ organization }: InvoiceRow) => <bdi>{organization}</bdi>,
          },
        ]
      : []),
    {
      key: "updated",
      label: record("updated"),
      card: "end",
      sort: "updated",
      cell: ({ updatedAt }) => <RelativeTime date={updatedAt} now={now} />,
    },
  ];
  return (
    <DataList
      label={t("title")}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      state={state}
      filters={filters}
      toolbar={
        <>
          <FilterDays
            label={t("fields.dueOn")}
            from={filters.dueOnFrom}
            to={filters.dueOnTo}
            names={{ from: "dueOnFrom", to: "dueOnTo" }}
            last="2199-12-31"
          />
          <FilterOptions
            name="status"
            label={t("fields.status")}
            value={filters.status}
            options={STATUS_CHOICES.map((choice) => [choice, t(`choices.status.${choice}`)])}
          />
        </>
      }
      toolbarEnd={toolbarEnd}
      exportPath={exportPath}
      emptyText={record("empty")}
      emptyAction={emptyAction}
      rowMenu={rowMenu}
      selection={
        chosen && {
          nameOf: (row) => row.number,
          actions: ({ length }) => <DeleteMany count={length} />,
          answer: chosen.answer,
        }
      }
    />
  );
}

function DeleteMany({ count }: { count: number }) {
  const { t } = useTranslation("records");
  const common = useTranslation().t;
  return (
    <ConfirmDrawer
      isInForm
      intent="delete"
      text={count > 0 ? t("bulk.deleteText", { count }) : t("bulk.deleteTextAny")}
      isDestructive
      icon="trash-2"
      trigger={common("actions.delete")}
    />
  );
}
