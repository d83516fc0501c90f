import type { CSSProperties, ReactNode } from "react";
import { Link } from "react-router";
import { useTranslation } from "../ui/translation.tsx";
import type { ListState } from "./list-state.ts";
import { Arrow } from "./list-toolbar.tsx";
import { useListUrl } from "./list-url.ts";
import { AllChoice, RowChoice } from "./row-choice.tsx";
import { RowMenuLink, type RowMenuOptions } from "./row-menu.tsx";
import type { Selection } from "./selection.ts";

/** Equals the number of `--area-N` in data-list.css. */
const MOST_CELLS = 10;

export type Column<Row> = {
  key: string;
  /** Empty for a column of buttons. */
  label: string;
  cell: (row: Row) => ReactNode;
  /** Name of this column in the URL's `sort`, when the list can be sorted by it. */
  sort?: string;
  /** Where a card shows the value; without it, the card leaves it out. */
  card?: "title" | "badge" | "line" | "end" | "actions";
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
  /** Undefined when the rows have no menu. */
  menu: RowMenuOptions<Row> | undefined;
};

/** The rows of a list: a table on a desktop, cards on a phone. */
export function ListTable<Row>(props: ListTableProps<Row>) {
  const { columns, rows, rowKey, state, isLoading, choice, menu } = props;
  const { t } = useTranslation();
  // Explicit roles, because the cards change the table's `display` and browsers then drop its semantics.
  return (
    <div className="list-frame">
      <table
        role="table"
        aria-busy={isLoading || undefined}
        data-loading={isLoading || undefined}
        style={areasOf(columns, choice !== undefined)}
        className="list-table"
      >
        <thead role="rowgroup">
          <tr role="row">
            {choice && (
              <th role="columnheader" scope="col" className="list-head w-11 ps-2">
                <span className="sr-only">{t("selection.column")}</span>
                <span className="list-wide">
                  <AllChoice selection={choice.selection} />
                </span>
              </th>
            )}
            {columns.map((column) => (
              <HeaderCell key={column.key} column={column} state={state} />
            ))}
            {menu && (
              <th role="columnheader" scope="col" className="list-head">
                <span className="sr-only">{t("list.actions")}</span>
              </th>
            )}
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
              menu={menu}
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
  menu: RowMenuOptions<Row> | undefined;
};

function TableRow<Row>({ row, id, columns, choice, menu }: TableRowProps<Row>) {
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
      {menu && (
        <td role="cell" className="list-more">
          <RowMenuLink id={id} to={menu.to(row)} name={menu.nameOf(row)} />
        </td>
      )}
    </tr>
  );
}

/**
 * The place of each column on a card. Written once for the table, because repeating it in twenty rows costs more than
 * the rows.
 */
function areasOf<Row>(columns: Column<Row>[], hasChoice: boolean): CSSProperties {
  const first = hasChoice ? 2 : 1;
  if (columns.length + first > MOST_CELLS) throw new Error(`Cards have ${MOST_CELLS} cells`);
  return Object.fromEntries(
    columns.map(({ card }, index) =>
      card ? [`--area-${first + index}`, card] : [`--show-${first + index}`, "none"],
    ),
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
        // The toolbar's menu has the same links, so the Tab key need not stop at each of these.
        <Link
          to={urlWith({ sort, direction })}
          replace
          preventScrollReset
          tabIndex={-1}
          className="list-sort"
        >
          {label}
          {isSorted && <Arrow direction={state.direction} />}
        </Link>
      ) : (
        label || <span className="sr-only">{t("list.actions")}</span>
      )}
    </th>
  );
}
