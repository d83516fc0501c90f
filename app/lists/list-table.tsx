import type { CSSProperties, ReactNode } from "react";
import { Link } from "react-router";
import { Icon } from "../ui/icon.tsx";
import { useTranslation } from "../ui/translation.tsx";
import type { ListState } from "./list-state.ts";
import { useListUrl } from "./list-url.ts";
import { AllChoice, RowChoice } from "./row-choice.tsx";
import type { Selection } from "./selection.ts";

/** Equals the number of `--label-N` in data-list.css. */
const MOST_LABELS = 8;

export type Column<Row> = {
  key: string;
  /** Empty for a column of buttons. */
  label: string;
  cell: (row: Row) => ReactNode;
  /** Name of this column in the URL's `sort`, when the list can be sorted by it. */
  sort?: string;
};

/** The checkboxes of the rows. */
type Choice<Row> = { selection: Selection; nameOf: (row: Row) => string };

type ListTableProps<Row> = {
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  state: ListState;
  isLoading: boolean;
  /** Undefined when the rows cannot be chosen. */
  choice: Choice<Row> | undefined;
};

/** The rows of a list: a table on a desktop, cards on a phone. */
export function ListTable<Row>(props: ListTableProps<Row>) {
  const { columns, rows, rowKey, state, isLoading, choice } = props;
  const { t } = useTranslation();
  // Explicit roles, because the cards change the table's `display` and browsers then drop its semantics.
  return (
    <div className="overflow-x-auto">
      <table
        role="table"
        aria-busy={isLoading || undefined}
        data-loading={isLoading || undefined}
        style={labelsOf(columns, choice !== undefined)}
        className="list-table"
      >
        <thead role="rowgroup">
          <tr role="row">
            {choice && (
              <th role="columnheader" scope="col" className="w-11 ps-2">
                <span className="sr-only">{t("selection.column")}</span>
                <span className="list-wide">
                  <AllChoice selection={choice.selection} />
                </span>
              </th>
            )}
            {columns.map((column) => (
              <HeaderCell key={column.key} column={column} state={state} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <TableRow
              key={rowKey(row)}
              row={row}
              id={rowKey(row)}
              columns={columns}
              choice={choice}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type TableRowProps<Row> = {
  row: Row;
  id: string;
  columns: Column<Row>[];
  choice: Choice<Row> | undefined;
};

function TableRow<Row>({ row, id, columns, choice }: TableRowProps<Row>) {
  return (
    <tr role="row" className="list-row">
      {choice && (
        <td role="cell" className="list-choice">
          <RowChoice id={id} name={choice.nameOf(row)} form={choice.selection.form} />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.key} role="cell">
          <span className="list-cell">{column.cell(row)}</span>
        </td>
      ))}
    </tr>
  );
}

/**
 * Labels of a card's values, which the stylesheet puts before them. They are written once for the table, because
 * repeating them in twenty rows costs more than the rows.
 */
function labelsOf<Row>(columns: Column<Row>[], hasChoice: boolean): CSSProperties {
  const first = hasChoice ? 2 : 1;
  if (columns.length >= first + MOST_LABELS) throw new Error("data-list.css labels 8 columns");
  return Object.fromEntries(
    columns.map(({ label }, index) => [`--label-${first + index}`, JSON.stringify(label)]),
  );
}

type HeaderCellProps<Row> = { column: Column<Row>; state: ListState };

function HeaderCell<Row>({ column, state }: HeaderCellProps<Row>) {
  const urlWith = useListUrl();
  const { t } = useTranslation();
  const { label, sort } = column;
  const isSorted = sort !== undefined && state.sort === sort;
  const direction = isSorted && state.direction === "asc" ? "desc" : "asc";
  const sorted = state.direction === "asc" ? "ascending" : "descending";
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={isSorted ? sorted : undefined}
      className="list-head"
    >
      {sort ? (
        <Link
          to={urlWith({ sort, direction })}
          replace
          preventScrollReset
          className="inline-flex min-h-11 items-center gap-1 hover:text-ink"
        >
          {label}
          {isSorted && (
            <Icon
              name="chevron-up"
              className={`size-4 ${state.direction === "desc" ? "rotate-180" : ""}`}
            />
          )}
        </Link>
      ) : (
        <span className="inline-flex min-h-11 items-center">
          {label || <span className="sr-only">{t("list.actions")}</span>}
        </span>
      )}
    </th>
  );
}
