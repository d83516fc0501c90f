import "./data-list.css";
import { type CSSProperties, type ReactNode, type RefObject, useEffect, useRef } from "react";
import { Form, Link, useLocation, useNavigation, useSubmit } from "react-router";
import { Button, ButtonLink, buttonClass } from "../ui/button.tsx";
import { OPEN_POPOVER } from "../ui/close-popover.ts";
import { inputClass } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { isolate } from "../ui/isolate.ts";
import { Message, type MessageReference } from "../ui/message.tsx";
import { Notice } from "../ui/notice.tsx";
import { RetryLink } from "../ui/retry-link.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { useTranslation } from "../ui/translation.tsx";
import { useFormat } from "../ui/use-format.ts";
import { useIsLate } from "../ui/use-is-late.ts";
import { useRememberedList } from "./back-link.tsx";
import { BulkNotice } from "./bulk-notice.tsx";
import type { BulkAnswer } from "./bulk-report.ts";
import { ClearFilters } from "./filter-form.tsx";
import { isSameList, useListUrl } from "./list-url.ts";
import { AllChoice, RowChoice, SelectionBar, useSelection } from "./selection.tsx";

const DEBOUNCE_MS = 250;
/** Equals the number of `--label-N` in data-list.css. */
const MOST_LABELS = 8;
/** Long enough that a list that loads quickly does not flicker. */
const SKELETON_AFTER_MS = 200;

export type Column<Row> = {
  key: string;
  label: string;
  cell: (row: Row) => ReactNode;
  /** Name of this column in the URL's `sort`, when the list can be sorted by it. */
  sort?: string;
};

export type ListState = {
  searchTerm: string;
  sort: string;
  direction: "asc" | "desc";
  notices: MessageReference[];
  total: { count: number; isCapped: boolean };
  shown: number;
  /** Search params of the URL that shows more rows; undefined at the end. */
  more: Record<string, string> | undefined;
  isFirstPage: boolean;
  /** True when the rows could not be loaded. */
  isFailed?: boolean;
  /** The reason, when it is known. */
  failure?: MessageReference;
};

/** Actions on chosen rows. */
type ListSelection<Row> = {
  nameOf: (row: Row) => string;
  /** Buttons of the form that the chosen rows belong to. The number is 0 while unknown. */
  actions: (count: number) => ReactNode;
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
        <Placeholder
          role="alert"
          isLoading={false}
          text={failure ? <Message value={failure} /> : t("errors.failed")}
        >
          <RetryLink label={t("actions.retry")} />
        </Placeholder>
      ) : rows.length === 0 ? (
        <Placeholder
          role="status"
          isLoading={isLoading}
          text={
            searchTerm ? t("list.noResults", { searchTerm: isolate(searchTerm) }) : t("list.noData")
          }
        >
          {isFiltered ? <ClearFilters state={state} /> : !searchTerm && emptyAction}
        </Placeholder>
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

/** Shown in place of the rows. */
function Placeholder(props: {
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
      {/* Explicit roles, because the cards change the table's `display` and browsers then drop its semantics. */}
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

/** Links to more rows and back to the start of the list. */
function Onward({ state, list }: { state: ListState; list: RefObject<HTMLElement | null> }) {
  const { t } = useTranslation();
  const urlWith = useListUrl();
  const isLoadingMore = useIsLoadingMore();
  const firstNew = useRef<number>(undefined);
  const { more, shown, isFirstPage } = state;
  const goesOnBehind = more?.after !== undefined && more.pages === undefined;

  // Outside React: the focus, which moves to the first new row.
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
        <ButtonLink variant="quiet" to={urlWith({})}>
          {t("list.first")}
        </ButtonLink>
      )}
      {more && (
        <ButtonLink
          variant="secondary"
          to={urlWith(more)}
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

/** True when another search, order or filter of this list has been loading for longer than `SKELETON_AFTER_MS`. */
function useIsLoadingOther(): boolean {
  const { location } = useNavigation();
  const { pathname, search } = useLocation();
  const isOther = location?.pathname === pathname && !isSameList(location.search, search);
  return useIsLate(isOther, SKELETON_AFTER_MS);
}

/** True while more rows of this list load. */
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
  const urlWith = useListUrl();

  // Outside React: clicks and submits before the timer ends. Following a link or sending another form cancels the
  // search.
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

  // Outside React: the field keeps its text while it has the focus, and otherwise follows the URL.
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
          to={urlWith({ searchTerm: undefined })}
          replace
          className={buttonClass("quiet", "shrink-0")}
          onClick={() => {
            clearTimeout(timer.current);
            // The link disappears with the term, so the focus moves to the field.
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
  const urlWith = useListUrl();
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
        <span className="inline-flex min-h-11 items-center">{label}</span>
      )}
    </th>
  );
}
