import "./data-list.css";
import type { MouseEvent, ReactNode } from "react";
import { Notice } from "../../ui/feedback/notice.tsx";
import { OPEN_POPOVER } from "../../ui/overlays/close-popover.ts";
import { Message } from "../../ui/text/message.tsx";
import { BulkNotice } from "../bulk/bulk-notice.tsx";
import type { BulkAnswer } from "../bulk/bulk-report.ts";
import { type Selection, useSelection } from "../bulk/selection.ts";
import { SelectionBar } from "../bulk/selection-bar.tsx";
import { type Filters, isNarrowed } from "../query/list-filter.ts";
import type { ListState } from "../query/list-state.ts";
import { useRememberedList } from "./back-link.tsx";
import { ListFoot } from "./list-foot.tsx";
import { useIsLoadingOther } from "./list-loading.ts";
import { EmptyList, FailedList } from "./list-placeholder.tsx";
import { type Column, ListTable } from "./list-table.tsx";
import { ListToolbar } from "./list-toolbar.tsx";
import { askFromRow, RowMenu, type RowMenuOptions, useRowMenu } from "./row-menu.tsx";

type ListSelection<Row> = {
  nameOf: (row: Row) => string;
  /** False for a row that none of the actions may change: it has no checkbox. */
  canChoose?: (row: Row) => boolean;
  /** Buttons of the form that the chosen rows belong to. The rows are empty while unknown, as without JavaScript. */
  actions: (chosen: Row[]) => ReactNode;
  answer: BulkAnswer | undefined;
};

type DataListProps<Row> = {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** Title above the rows that share it, such as their day. */
  titleOf?: (row: Row) => string;
  detailsOf?: (row: Row) => ReactNode;
  state: ListState;
  filters?: Filters;
  toolbar?: ReactNode;
  toolbarEnd?: ReactNode;
  /** A sentence for an empty list: when there will be something. */
  emptyText?: ReactNode;
  /** A sentence for a search without results: what to type. */
  searchText?: ReactNode;
  emptyAction?: ReactNode;
  /** True when the list hides rows even without a filter, so that an empty one may have others. */
  isNarrowedAtFirst?: boolean;
  /** False for a list that has filters but no search. */
  isSearchable?: boolean;
  /** Placeholder of the search field, when it does not search all texts. */
  searchPlaceholder?: string;
  exportPath?: string;
  /** Tools beside the export; see `ToolText`. */
  tools?: ReactNode;
  selection?: ListSelection<Row>;
  rowMenu?: RowMenuOptions<Row>;
};

/** A list with search and sorting whose whole state is in the URL: a table on a desktop, cards on a phone. */
export function DataList<Row>(props: DataListProps<Row>) {
  const { label, rows, state, filters = {} } = props;
  const selection = useSelection(rows, countChoosable(props), props.selection?.answer);
  const isLoading = useIsLoadingOther();
  useRememberedList();

  return (
    <section aria-label={label} className="list @container grid gap-3">
      <ListToolbar
        state={state}
        columns={props.columns}
        filters={filters}
        isSearchable={props.isSearchable ?? true}
        searchPlaceholder={props.searchPlaceholder}
        exportPath={props.exportPath}
        tools={props.tools}
        isEmpty={rows.length === 0 && !state.failure && !isNarrowed(state, filters)}
        isNarrowedAtFirst={props.isNarrowedAtFirst ?? false}
        end={props.toolbarEnd}
      >
        {props.toolbar}
      </ListToolbar>
      {state.notices.map((notice) => (
        <Notice key={notice} kind="info">
          <Message value={notice} />
        </Notice>
      ))}
      {selection.outcome && <BulkNotice selection={selection} />}
      {state.failure ? (
        <FailedList isSilent={state.failure === "silent"} />
      ) : rows.length === 0 ? (
        <EmptyList
          state={state}
          isLoading={isLoading}
          filters={filters}
          emptyText={props.emptyText}
          searchText={props.searchText}
          emptyAction={props.emptyAction}
        />
      ) : (
        <Rows list={props} isLoading={isLoading} selection={selection} />
      )}
    </section>
  );
}

function countChoosable<Row>({ rows, selection }: DataListProps<Row>): number {
  if (!selection) return 0;
  return rows.filter((row) => selection.canChoose?.(row) !== false).length;
}

type RowsProps<Row> = { list: DataListProps<Row>; isLoading: boolean; selection: Selection };

/** The rows, what can be done with them, and the links to more. */
function Rows<Row>({ list, isLoading, selection }: RowsProps<Row>) {
  const { columns, rows, rowKey, state, rowMenu } = list;
  const menu = useRowMenu();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the controls inside
    <div
      ref={selection.list}
      className="grid gap-3"
      onClick={(event) => {
        selection.follow(event);
        if (rowMenu) menu.open(event);
        askFromRow(event, selection);
        openRow(event);
      }}
      onKeyDown={(event) => {
        const isFree = !document.querySelector(OPEN_POPOVER);
        if (event.key === "Escape" && isFree) selection.choose(false);
      }}
    >
      <ListTable
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        titleOf={list.titleOf}
        detailsOf={list.detailsOf}
        state={state}
        isLoading={isLoading}
        choice={list.selection && { ...list.selection, selection }}
        menu={rowMenu}
      />
      <ListFoot state={state} list={selection.list} exportPath={list.exportPath} />
      {rowMenu && (
        <RowMenu
          menu={menu}
          options={rowMenu}
          row={rows.find((row) => rowKey(row) === menu.id)}
          selection={selection}
        />
      )}
      {list.selection && (
        <SelectionBar selection={selection}>
          {list.selection.actions(rows.filter((row) => selection.chosen.includes(rowKey(row))))}
        </SelectionBar>
      )}
    </div>
  );
}

/** A click beside a row's controls opens the row, unless it ends the marking of a text. */
function openRow(event: MouseEvent): void {
  const { target } = event;
  if (!(target instanceof Element) || event.defaultPrevented) return;
  if (target.closest("a, button, input, label, summary, details, [popover]")) return;
  if (!document.getSelection()?.isCollapsed) return;
  const link = target.closest(".list-row")?.querySelector<HTMLElement>(".list-link, summary");
  const { ctrlKey, metaKey, shiftKey } = event;
  link?.dispatchEvent(
    new window.MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }),
  );
}
