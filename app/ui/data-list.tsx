import "./data-list.css";
import { type CSSProperties, type ReactNode, type RefObject, useEffect, useRef } from "react";
import { Form, Link, useLocation, useNavigation, useSubmit } from "react-router";
import { useRememberedList } from "./back-link.tsx";
import type { BulkAnswer } from "./bulk.ts";
import { BulkNotice } from "./bulk-notice.tsx";
import { Button, ButtonLink, buttonClass } from "./button.tsx";
import { OPEN_POPOVER } from "./close-popover.ts";
import { inputClass } from "./field.tsx";
import { ClearFilters } from "./filter-form.tsx";
import { Icon } from "./icon.tsx";
import { isolate } from "./isolate.ts";
import { isSameList, useListAddress } from "./list-address.ts";
import { Message, type MessageReference } from "./message.tsx";
import { Notice } from "./notice.tsx";
import { RetryLink } from "./retry-link.tsx";
import { AllChoice, RowChoice, SelectionBar, useSelection } from "./selection.tsx";
import { Spinner } from "./spinner.tsx";
import { useTranslation } from "./translation.tsx";
import { useFormat } from "./use-format.ts";
import { useIsLate } from "./use-is-late.ts";

const DEBOUNCE_MS = 250;
/** As many `--label-N` as data-list.css has. */
const MOST_LABELS = 8;
/** Long enough that a list which comes quickly does not flicker. */
const SKELETON_AFTER_MS = 200;

export type Column<Row> = {
  key: string;
  label: string;
  cell: (row: Row) => ReactNode;
  /** The name this column is sorted by in the address, when it can be. */
  sort?: string;
};

export type ListState = {
  searchTerm: string;
  sort: string;
  direction: "asc" | "desc";
  notices: MessageReference[];
  total: { count: number; isCapped: boolean };
  shown: number;
  /** Search params of the address that shows more; undefined at the end. */
  more: Record<string, string> | undefined;
  isFirstPage: boolean;
  /** The rows could not be had. */
  isFailed?: boolean;
  /** Why, when there is more to say than that it failed. */
  failure?: MessageReference;
};

/** What can be done with rows that are chosen. */
type ListSelection<Row> = {
  nameOf: (row: Row) => string;
  /** Buttons of the form that the chosen rows belong to; the number is 0 while it is not known. */
  actions: (count: number) => ReactNode;
  answer: BulkAnswer | undefined;
};

type DataListProps<Row> = {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  state: ListState;
  /** Filters that are set, as they stand in the address. */
  filters?: Record<string, string | undefined>;
  /** What stands under the search field, such as the controls of the filters. */
  toolbar?: ReactNode;
  /** What to do when there is nothing at all. */
  emptyAction?: ReactNode;
  /** False for a list that is only filtered. */
  isSearchable?: boolean;
  /** What the search field asks for, where it is not any part of any text. */
  searchPlaceholder?: string;
  /** Where the same rows can be had as a file. */
  exportPath?: string;
  selection?: ListSelection<Row>;
};

/** A searched, sorted list whose whole state stands in the address: a table on a desktop, cards on a phone. */
export function DataList<Row>(props: DataListProps<Row>) {
  const { label, rows, state, filters = {}, toolbar, emptyAction, searchPlaceholder } = props;
  const { isSearchable = true } = props;
  const { t } = useTranslation();
  const selection = useSelection(rows, props.selection?.answer);
  const { searchTerm, notices, isFailed, failure } = state;
  const isFiltered = hasAny(filters);
  const isLoading = useIsLoadingOther();
  useRememberedList();

  return (
    <section aria-label={label} className="list @container grid gap-4">
      {isSearchable && (
        <SearchForm state={state} filters={filters} placeholder={searchPlaceholder} />
      )}
      {toolbar}
      {notices.map((notice) => (
        <Notice key={notice} kind="info">
          <Message value={notice} />
        </Notice>
      ))}
      {selection.outcome && <BulkNotice selection={selection} />}
      {isFailed ? (
        <Place
          role="alert"
          isLoading={false}
          text={failure ? <Message value={failure} /> : t("errors.failed")}
        >
          <RetryLink label={t("actions.retry")} />
        </Place>
      ) : rows.length === 0 ? (
        <Place
          role="status"
          isLoading={isLoading}
          text={
            searchTerm ? t("list.noResults", { searchTerm: isolate(searchTerm) }) : t("list.noData")
          }
        >
          {isFiltered ? <ClearFilters state={state} /> : !searchTerm && emptyAction}
        </Place>
      ) : (
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
          <Rows {...props} isLoading={isLoading} selection={props.selection} boxes={selection} />
          <Onward state={state} list={selection.list} />
          {props.selection && (
            <SelectionBar selection={selection} actions={props.selection.actions} />
          )}
        </div>
      )}
    </section>
  );
}

function hasAny(filters: Record<string, string | undefined>): boolean {
  return Object.values(filters).some(Boolean);
}

/** What stands where rows would. */
function Place(props: {
  role: "alert" | "status";
  isLoading: boolean;
  text: ReactNode;
  children: ReactNode;
}) {
  const { role, isLoading, text, children } = props;
  return (
    <div
      aria-busy={isLoading || undefined}
      data-loading={isLoading || undefined}
      className="grid justify-items-center gap-4 rounded-md border border-line bg-sunken px-6 py-12 text-center"
    >
      <p role={role} className="list-cell text-muted">
        {text}
      </p>
      {children}
    </div>
  );
}

type RowsProps<Row> = DataListProps<Row> & {
  isLoading: boolean;
  boxes: ReturnType<typeof useSelection>;
};

function Rows<Row>(props: RowsProps<Row>) {
  const { columns, rows, rowKey, state, filters = {}, exportPath, selection, boxes } = props;
  const { isLoading } = props;
  const { t } = useTranslation();
  const { search } = useLocation();
  const { total, shown, searchTerm } = state;
  const format = useFormat();
  const count = format.number(total.count) + (total.isCapped ? "+" : "");
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex min-h-11 flex-wrap items-center gap-x-3">
          <p role="status" className="text-sm text-muted" suppressHydrationWarning>
            {searchTerm
              ? t("list.results", { total: count, searchTerm: isolate(searchTerm) })
              : t("list.showing", { count: format.number(shown), total: count })}
          </p>
          {hasAny(filters) && <ClearFilters state={state} />}
        </div>
        <div className="flex flex-wrap items-center gap-3">
          {selection && (
            <span className="list-narrow">
              <AllChoice selection={boxes}>{t("selection.all")}</AllChoice>
            </span>
          )}
          {exportPath && (
            <a href={exportPath + search} download className={buttonClass("quiet")}>
              <Icon name="download" className="size-4" />
              {t("list.export")}
            </a>
          )}
        </div>
      </div>
      {/* The roles are said again because cards in a narrow place take the table's display away, and its meaning with it. */}
      <div className="overflow-x-auto">
        <table
          role="table"
          aria-busy={isLoading || undefined}
          data-loading={isLoading || undefined}
          style={labelsOf(columns, selection !== undefined)}
          className="list-table"
        >
          <thead role="rowgroup">
            <tr role="row">
              {selection && (
                <th role="columnheader" scope="col" className="w-11 ps-2">
                  <span className="sr-only">{t("selection.column")}</span>
                  <span className="list-wide">
                    <AllChoice selection={boxes} />
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
              <tr key={rowKey(row)} role="row" className="list-row">
                {selection && (
                  <td role="cell" className="list-choice">
                    <RowChoice id={rowKey(row)} name={selection.nameOf(row)} form={boxes.form} />
                  </td>
                )}
                {columns.map((column) => (
                  <td key={column.key} role="cell">
                    <span className="list-cell">{column.cell(row)}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/**
 * The labels of a card's values, which the stylesheet puts before them: written once for the table, because twenty rows
 * of them cost more than the rows.
 */
function labelsOf<Row>(columns: Column<Row>[], hasChoice: boolean): CSSProperties {
  const first = hasChoice ? 2 : 1;
  if (columns.length >= first + MOST_LABELS) throw new Error("data-list.css labels 8 columns");
  return Object.fromEntries(
    columns.map(({ label }, place) => [`--label-${first + place}`, JSON.stringify(label)]),
  );
}

/** The ways on: more of the list, and back to its start. */
function Onward({ state, list }: { state: ListState; list: RefObject<HTMLElement | null> }) {
  const { t } = useTranslation();
  const address = useListAddress();
  const isLoadingMore = useIsLoadingMore();
  const firstNew = useRef<number>(undefined);
  const { more, shown, isFirstPage } = state;
  const goesOnBehind = more?.after !== undefined && more.pages === undefined;

  // Outside React: the focus. Who asked for more goes on reading at the first row that came.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each list that came
  useEffect(() => {
    if (firstNew.current === undefined) return;
    const row = list.current?.querySelectorAll("tbody tr")[firstNew.current];
    firstNew.current = undefined;
    row?.querySelector<HTMLElement>("a[href], summary")?.focus({ preventScroll: true });
  }, [state]);

  return (
    <div className="flex flex-wrap justify-center gap-3 empty:hidden">
      {!isFirstPage && (
        <ButtonLink variant="quiet" to={address({})}>
          {t("list.first")}
        </ButtonLink>
      )}
      {more && (
        <ButtonLink
          variant="secondary"
          to={address(more)}
          replace
          preventScrollReset={!goesOnBehind}
          aria-busy={isLoadingMore || undefined}
          onClick={() => {
            firstNew.current = goesOnBehind ? 0 : shown;
          }}
        >
          {isLoadingMore && <Spinner />}
          {t("list.loadMore")}
        </ButtonLink>
      )}
    </div>
  );
}

/** Whether another search, order or filter of this list has been on its way for longer than a moment. */
function useIsLoadingOther(): boolean {
  const { location } = useNavigation();
  const { pathname, search } = useLocation();
  const isOther = location?.pathname === pathname && !isSameList(location.search, search);
  return useIsLate(isOther, SKELETON_AFTER_MS);
}

/** Whether more of this list is on its way. */
function useIsLoadingMore(): boolean {
  const { location } = useNavigation();
  const { pathname, search } = useLocation();
  const isHere = location?.pathname === pathname && location.search !== search;
  return isHere && isSameList(location.search, search);
}

type SearchFormProps = {
  state: ListState;
  filters: Record<string, string | undefined>;
  placeholder: string | undefined;
};

function SearchForm({ state, filters, placeholder }: SearchFormProps) {
  const { t } = useTranslation();
  const submit = useSubmit();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { searchTerm, sort, direction } = state;
  const input = useRef<HTMLInputElement>(null);
  const address = useListAddress();

  // Outside React: what is pressed before the timer ends. A link or another form says where the user wants to go.
  useEffect(() => {
    const cancel = () => clearTimeout(timer.current);
    const follow = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest("a[href]")) cancel();
    };
    document.addEventListener("click", follow, { capture: true });
    document.addEventListener("submit", cancel, { capture: true });
    return () => {
      cancel();
      document.removeEventListener("click", follow, { capture: true });
      document.removeEventListener("submit", cancel, { capture: true });
    };
  }, []);

  // Outside React: the field keeps what is being typed, and follows the address when that changed elsewhere.
  useEffect(() => {
    const field = input.current;
    if (field && document.activeElement !== field) field.value = searchTerm;
  }, [searchTerm]);

  return (
    <Form method="get" role="search" replace className="flex gap-2">
      <input type="hidden" name="sort" value={sort} />
      <input type="hidden" name="direction" value={direction} />
      {Object.entries(filters).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <input
        ref={input}
        type="search"
        name="searchTerm"
        defaultValue={searchTerm}
        placeholder={placeholder ?? t("list.search")}
        aria-label={placeholder ?? t("list.search")}
        className={`${inputClass} max-w-md [unicode-bidi:plaintext] [&::-webkit-search-cancel-button]:hidden`}
        onChange={(event) => {
          const { form } = event.currentTarget;
          clearTimeout(timer.current);
          timer.current = setTimeout(() => submit(form, { replace: true }), DEBOUNCE_MS);
        }}
      />
      {searchTerm ? (
        <Link
          to={address({ searchTerm: undefined })}
          replace
          className={buttonClass("quiet", "shrink-0")}
          onClick={() => {
            clearTimeout(timer.current);
            // The link goes with the term; whoever cleared it types another one.
            if (input.current) input.current.value = "";
            input.current?.focus();
          }}
        >
          {t("list.clearSearch")}
        </Link>
      ) : (
        <Button variant="secondary" className="shrink-0 [@media(scripting:enabled)]:hidden">
          {t("list.submit")}
        </Button>
      )}
    </Form>
  );
}

type HeaderCellProps<Row> = { column: Column<Row>; state: ListState };

function HeaderCell<Row>({ column, state }: HeaderCellProps<Row>) {
  const address = useListAddress();
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
          to={address({ sort, direction })}
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
        <span className="inline-flex min-h-11 items-center">{label}</span>
      )}
    </th>
  );
}
