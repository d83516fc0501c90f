import "./data-list.css";
import type { ReactNode } from "react";
import { OPEN_POPOVER } from "../ui/close-popover.ts";
import { Message } from "../ui/message.tsx";
import { Notice } from "../ui/notice.tsx";
import { useRememberedList } from "./back-link.tsx";
import { BulkNotice } from "./bulk-notice.tsx";
import type { BulkAnswer } from "./bulk-report.ts";
import { useIsLoadingOther } from "./list-loading.ts";
import { EmptyList, FailedList } from "./list-placeholder.tsx";
import { ListSearch } from "./list-search.tsx";
import type { ListState } from "./list-state.ts";
import { ListSummary } from "./list-summary.tsx";
import { type Column, ListTable } from "./list-table.tsx";
import { LoadMore } from "./load-more.tsx";
import { type Selection, useSelection } from "./selection.ts";
import { SelectionBar } from "./selection-bar.tsx";

/** Actions on chosen rows. */
type ListSelection<Row> = {
  nameOf: (row: Row) => string;
  /** Buttons of the form that the chosen rows belong to. The rows are empty while unknown, as without JavaScript. */
  actions: (chosen: Row[]) => ReactNode;
  answer: BulkAnswer | undefined;
};

type DataListProps<Row> = {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  state: ListState;
  /** Filters that are set, by their name in the URL. */
  filters?: Record<string, string | undefined>;
  /** Controls under the search field, such as filters. */
  toolbar?: ReactNode;
  /** Link or button for an empty list. */
  emptyAction?: ReactNode;
  /** False for a list that has filters but no search. */
  isSearchable?: boolean;
  /** Placeholder of the search field, when it does not search all texts. */
  searchPlaceholder?: string;
  /** Path of the export of the same rows. */
  exportPath?: string;
  selection?: ListSelection<Row>;
};

/** A list with search and sorting whose whole state is in the URL: a table on a desktop, cards on a phone. */
export function DataList<Row>(props: DataListProps<Row>) {
  const { label, rows, state, filters = {}, toolbar, isSearchable = true } = props;
  const selection = useSelection(rows, props.selection?.answer);
  const isLoading = useIsLoadingOther();
  useRememberedList();

  return (
    <section aria-label={label} className="list @container grid gap-4">
      {isSearchable && (
        <ListSearch state={state} filters={filters} placeholder={props.searchPlaceholder} />
      )}
      {toolbar}
      {state.notices.map((notice) => (
        <Notice key={notice} kind="info">
          <Message value={notice} />
        </Notice>
      ))}
      {selection.outcome && <BulkNotice selection={selection} />}
      {state.isFailed ? (
        <FailedList state={state} />
      ) : rows.length === 0 ? (
        <EmptyList
          state={state}
          isLoading={isLoading}
          isFiltered={hasAny(filters)}
          emptyAction={props.emptyAction}
        />
      ) : (
        <Rows list={props} isLoading={isLoading} selection={selection} />
      )}
    </section>
  );
}

type RowsProps<Row> = { list: DataListProps<Row>; isLoading: boolean; selection: Selection };

/** The rows, what can be done with them, and the links to more. */
function Rows<Row>({ list, isLoading, selection }: RowsProps<Row>) {
  const { columns, rows, rowKey, state, filters = {}, exportPath } = list;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the controls inside
    <div
      ref={selection.list}
      className="grid gap-4"
      onClick={selection.follow}
      onKeyDown={(event) => {
        const isFree = !document.querySelector(OPEN_POPOVER);
        if (event.key === "Escape" && isFree) selection.choose(false);
      }}
    >
      <ListSummary
        state={state}
        isFiltered={hasAny(filters)}
        exportPath={exportPath}
        selection={list.selection && selection}
      />
      <ListTable
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        state={state}
        isLoading={isLoading}
        choice={list.selection && { selection, nameOf: list.selection.nameOf }}
      />
      <LoadMore state={state} list={selection.list} />
      {list.selection && (
        <SelectionBar selection={selection}>
          {list.selection.actions(rows.filter((row) => selection.chosen.includes(rowKey(row))))}
        </SelectionBar>
      )}
    </div>
  );
}

function hasAny(filters: Record<string, string | undefined>): boolean {
  return Object.values(filters).some(Boolean);
}
