import type { ReactNode } from "react";
import { Link } from "react-router";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { AllChoice, RowChoice } from "../bulk/row-choice.tsx";
import type { Selection } from "../bulk/selection.ts";
import type { ListState } from "../query/list-state.ts";
import { useListUrl } from "../query/list-url.ts";
import { Arrow } from "./list-toolbar.tsx";
import { RowMenuLink, type RowMenuOptions } from "./row-menu.tsx";

export type Column<Row> = {
  key: string;
  /** Empty for a column of buttons. */
  label: string;
  cell: (row: Row) => ReactNode;
  /** True for numbers, which a table aligns at their end. */
  isNumber?: boolean;
  /** True for names where other lists have e-mails or descriptions, so that a table gives them less width. */
  isShort?: boolean;
  /** True for names that a table must show whole, so that it gives them more width than the second texts. */
  isLong?: boolean;
  /** Name of this column in the URL's `sort`, when the list can be sorted by it. */
  sort?: string;
  /** A further order, by what else the column shows or may show. Its head has a link for each. */
  also?: { label: string; sort: string };
  /** True for the column that the list is in the order of, when it has no other order to choose. */
  isOrder?: boolean;
  /** True for the one date on a card where the list has several, so that its name stands above the cards. */
  isNamedDate?: boolean;
  /**
   * Where a card shows the value: "line" is a text below the title, cut at its end, "below" a value that stands there
   * whole, and "end" ends a line. Several of a place follow the order of the columns. Without one, a card leaves it out.
   */
  card?: "title" | "line" | "below" | "end" | "menu";
};

/** The checkboxes of the rows. */
type Choice<Row> = {
  selection: Selection;
  nameOf: (row: Row) => string;
  canChoose?: (row: Row) => boolean;
};

type ListTableProps<Row> = {
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  titleOf: ((row: Row) => string) | undefined;
  detailsOf: ((row: Row) => ReactNode) | undefined;
  state: ListState;
  isLoading: boolean;
  /** Undefined when the rows cannot be chosen. */
  choice: Choice<Row> | undefined;
  /** Undefined when the rows have no menu. */
  menu: RowMenuOptions<Row> | undefined;
};

/** The rows of a list: a table on a desktop, cards on a phone. */
export function ListTable<Row>(props: ListTableProps<Row>) {
  const { columns, rows, rowKey, isLoading, choice, menu, detailsOf } = props;
  const width = columns.length + [choice, menu, detailsOf].filter(Boolean).length;
  // Explicit roles, because the cards change the table's `display` and browsers then drop its semantics.
  return (
    <div className="list-frame">
      <table
        role="table"
        aria-busy={isLoading || undefined}
        data-loading={isLoading || undefined}
        className="list-table"
      >
        <thead role="rowgroup">
          <HeadRow table={props} />
        </thead>
        <tbody role="rowgroup">
          {rows.map((row, index) => (
            <RowGroup
              key={rowKey(row)}
              row={row}
              id={rowKey(row)}
              before={rows[index - 1]}
              table={props}
              width={width}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function HeadRow<Row>({ table }: { table: ListTableProps<Row> }) {
  const { columns, state, choice, menu, detailsOf } = table;
  const { t } = useTranslation();
  return (
    <tr role="row">
      {choice && (
        <th role="columnheader" scope="col" className="list-head list-head-choice w-11">
          <span className="sr-only">{t("selection.column")}</span>
          <AllChoice selection={choice.selection} />
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
      {detailsOf && (
        <th role="columnheader" scope="col" className="list-head">
          <span className="sr-only">{t("list.details")}</span>
        </th>
      )}
    </tr>
  );
}

type RowGroupProps<Row> = {
  row: Row;
  id: string;
  before: Row | undefined;
  table: ListTableProps<Row>;
  width: number;
};

/** A row, the title above it when the row above has another one, and what the row opens to. */
function RowGroup<Row>({ row, id, before, table, width }: RowGroupProps<Row>) {
  const { titleOf, detailsOf } = table;
  const title = titleOf?.(row);
  const isFirst = before === undefined || titleOf?.(before) !== title;
  return (
    <>
      {title !== undefined && isFirst && <TitleRow title={title} width={width} />}
      <TableRow row={row} id={id} table={table} />
      {detailsOf && (
        <tr role="row" className="list-details">
          {/* The details begin below the second column's text. */}
          <td aria-hidden="true" />
          <td role="cell" colSpan={width - 1}>
            {detailsOf(row)}
          </td>
        </tr>
      )}
    </>
  );
}

type TableRowProps<Row> = { row: Row; id: string; table: ListTableProps<Row> };

function TableRow<Row>({ row, id, table }: TableRowProps<Row>) {
  const { columns, choice, menu, detailsOf } = table;
  return (
    <tr role="row" className="list-row">
      {choice && (
        <td role="cell" className="list-choice">
          {choice.canChoose?.(row) !== false && (
            <RowChoice id={id} name={choice.nameOf(row)} selection={choice.selection} />
          )}
        </td>
      )}
      {columns.map((column) => (
        <td key={column.key} role="cell" className={classOf(column)}>
          {column.cell(row)}
        </td>
      ))}
      {menu && (
        <td role="cell" className="list-more">
          <RowMenuLink id={id} to={menu.screen?.pathOf(row)} name={menu.nameOf(row)} />
        </td>
      )}
      {detailsOf && (
        <td role="cell" className="list-more">
          <DetailsControl />
        </td>
      )}
    </tr>
  );
}

function TitleRow({ title, width }: { title: string; width: number }) {
  return (
    <tr role="row" className="list-title">
      <td role="cell" colSpan={width} suppressHydrationWarning>
        {title}
      </td>
    </tr>
  );
}

/** Opens the row below, which the stylesheet shows while this is open. It works without JavaScript. */
function DetailsControl() {
  const { t } = useTranslation();
  return (
    <details>
      <summary aria-label={t("list.details")} className="list-more-link">
        <Icon name="chevron-down" className="size-4" />
      </summary>
    </details>
  );
}

const PLACE_CLASSES = {
  title: "list-flex list-name",
  line: "list-flex",
  below: "list-below",
  end: "list-end",
  menu: "list-more",
} as const;

function classOf<Row>({ card, isNumber, isShort, isLong }: Column<Row>): string {
  const place = card ? PLACE_CLASSES[card] : "list-wide";
  const kinds = [isNumber && "list-number", isShort && "list-short", isLong && "list-long"];
  return [place, ...kinds].filter(Boolean).join(" ");
}

function headClassOf<Row>({ isNumber, isNamedDate }: Column<Row>): string {
  const kinds = [isNumber && "list-number", isNamedDate && "list-head-date"];
  return ["list-head", ...kinds].filter(Boolean).join(" ");
}

type HeaderCellProps<Row> = { column: Column<Row>; state: ListState };

function HeaderCell<Row>({ column, state }: HeaderCellProps<Row>) {
  const urlWith = useListUrl();
  const { t } = useTranslation();
  const { label, sort, also, isOrder } = column;
  const links = [...(sort ? [{ label, sort }] : []), ...(also ? [also] : [])];
  const isSorted = isOrder || links.some((link) => link.sort === state.sort);
  const sorted = state.direction === "asc" ? "ascending" : "descending";
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={isSorted ? sorted : undefined}
      className={headClassOf(column)}
    >
      {links.map((link) => {
        const isCurrent = link.sort === state.sort;
        const direction = isCurrent && state.direction === "asc" ? "desc" : "asc";
        return (
          <Link
            key={link.sort}
            to={urlWith({ sort: link.sort, direction })}
            replace
            preventScrollReset
            // Above cards, the order that the list is in stands alone.
            className={isCurrent || !isSorted ? "list-sort" : "list-sort list-wide"}
          >
            {link.label}
            {isCurrent && <Arrow direction={state.direction} />}
          </Link>
        );
      })}
      {links.length === 0 &&
        (isOrder ? (
          <span className="list-sort">
            {label}
            <Arrow direction={state.direction} />
          </span>
        ) : (
          label || <span className="sr-only">{t("list.actions")}</span>
        ))}
    </th>
  );
}
