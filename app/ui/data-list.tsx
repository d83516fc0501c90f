import { type ReactNode, useEffect, useRef } from "react";
import { Form, Link, useLocation, useNavigation, useSubmit } from "react-router";
import { Button, ButtonLink, buttonClass } from "./button.tsx";
import { inputClass } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { isolate } from "./isolate.ts";
import { Message, type MessageReference } from "./message.tsx";
import { Notice } from "./notice.tsx";
import { useTranslation } from "./translation.tsx";

const DEBOUNCE_MS = 250;

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
};

/** A searched, sorted list whose whole state stands in the address: a table on a desktop, cards on a phone. */
export function DataList<Row>(props: DataListProps<Row>) {
  const { label, columns, rows, rowKey, state, filters = {}, toolbar, emptyAction } = props;
  const { searchPlaceholder, exportPath, isSearchable = true } = props;
  const { t, i18n } = useTranslation();
  const address = useListAddress();
  const { search } = useLocation();
  const { total, shown, more, searchTerm, notices } = state;
  const format = new Intl.NumberFormat(i18n.language === "ar" ? "ar-u-nu-latn" : i18n.language);
  const count = format.format(total.count) + (total.isCapped ? "+" : "");
  const isPending = useNavigation().state === "loading";

  return (
    <section aria-label={label} className="@container grid gap-4">
      {isSearchable && (
        <SearchForm state={state} filters={filters} placeholder={searchPlaceholder} />
      )}
      {toolbar}
      {notices.map((notice) => (
        <Notice key={notice} kind="info">
          <Message value={notice} />
        </Notice>
      ))}
      {rows.length === 0 ? (
        <div className="grid justify-items-center gap-4 rounded-md border border-line bg-sunken px-6 py-12 text-center">
          <p className="text-muted">
            {searchTerm
              ? t("list.noResults", { searchTerm: isolate(searchTerm) })
              : t("list.noData")}
          </p>
          {!searchTerm && emptyAction}
        </div>
      ) : (
        <>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p role="status" className="text-sm text-muted">
              {searchTerm
                ? t("list.results", { total: count, searchTerm: isolate(searchTerm) })
                : t("list.showing", { count: format.format(shown), total: count })}
            </p>
            {exportPath && (
              <a href={exportPath + search} download className={buttonClass("quiet")}>
                <Icon name="download" className="size-4" />
                {t("list.export")}
              </a>
            )}
          </div>
          {/* The roles are said again because cards in a narrow place take the table's display away, and its meaning with it. */}
          <div className="overflow-x-auto">
            <table
              role="table"
              aria-busy={isPending || undefined}
              className="w-full border-separate border-spacing-0 rounded-md border-line bg-panel text-sm wrap-break-word @max-[820px]:block @max-[820px]:bg-transparent @min-[820px]:border [&_a]:wrap-anywhere [&_bdi]:wrap-anywhere"
            >
              <thead role="rowgroup" className="@max-[820px]:sr-only">
                <tr role="row">
                  {columns.map((column) => (
                    <HeaderCell key={column.key} column={column} state={state} address={address} />
                  ))}
                </tr>
              </thead>
              <tbody role="rowgroup" className="@max-[820px]:grid @max-[820px]:gap-3">
                {rows.map((row) => (
                  <tr
                    key={rowKey(row)}
                    role="row"
                    className="transition-colors duration-150 @max-[820px]:grid @max-[820px]:gap-2 @max-[820px]:rounded-md @max-[820px]:border @max-[820px]:border-line @max-[820px]:bg-panel @max-[820px]:p-4 @min-[820px]:hover:bg-sunken"
                  >
                    {columns.map((column) => (
                      <td
                        key={column.key}
                        role="cell"
                        className="align-middle @max-[820px]:grid @max-[820px]:grid-cols-[minmax(6rem,1fr)_2fr] @max-[820px]:items-center @max-[820px]:gap-3 @min-[820px]:border-t @min-[820px]:border-line @min-[820px]:px-3 @min-[820px]:py-2"
                      >
                        <span aria-hidden="true" className="text-muted @min-[820px]:hidden">
                          {column.label}
                        </span>
                        <span className="min-w-0">{column.cell(row)}</span>
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      <div className="flex flex-wrap justify-center gap-3">
        {!state.isFirstPage && (
          <ButtonLink variant="quiet" to={address({ after: undefined, pages: undefined })}>
            {t("list.first")}
          </ButtonLink>
        )}
        {more && (
          <ButtonLink
            variant="secondary"
            to={address({ after: undefined, pages: undefined, ...more })}
            replace
            preventScrollReset={more.after === undefined}
          >
            {t("list.loadMore")}
          </ButtonLink>
        )}
      </div>
    </section>
  );
}

type ListAddress = (changes: Record<string, string | undefined>) => string;

/** Makes addresses of this list that differ from the current one in some params. */
function useListAddress(): ListAddress {
  const { pathname, search } = useLocation();
  return (changes) => {
    const params = new URLSearchParams(search);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) params.delete(name);
      else params.set(name, value);
    }
    return params.size > 0 ? `${pathname}?${params}` : pathname;
  };
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
  const { pathname } = useLocation();

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
        <Link to={pathname} className={buttonClass("quiet", "shrink-0")}>
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

type HeaderCellProps<Row> = { column: Column<Row>; state: ListState; address: ListAddress };

function HeaderCell<Row>({ column, state, address }: HeaderCellProps<Row>) {
  const { label, sort } = column;
  const isSorted = sort !== undefined && state.sort === sort;
  const direction = isSorted && state.direction === "asc" ? "desc" : "asc";
  const sorted = state.direction === "asc" ? "ascending" : "descending";
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={isSorted ? sorted : undefined}
      className="px-3 py-1 text-start text-xs font-medium text-muted"
    >
      {sort ? (
        <Link
          to={address({ sort, direction, after: undefined, pages: undefined })}
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
