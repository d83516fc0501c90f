import type { ReactNode } from "react";
import { useCssId } from "../../ui/layout/use-css-id.ts";
import { useRovingFocus } from "../../ui/layout/use-roving-focus.ts";
import { Menu } from "../../ui/overlays/menu.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { FilterLink } from "../filters/filters.tsx";
import { ClearFilters } from "../filters/list-clear.tsx";
import { ListSearch } from "../filters/list-search.tsx";
import { HIDDEN_COLUMNS, hiddenParam, useHiddenColumns } from "../query/list-columns.ts";
import { countSet, type Filters } from "../query/list-filter.ts";
import type { ListState } from "../query/list-state.ts";
import { ExportLink } from "./export-link.tsx";
import { ToolText, toolClass } from "./tool-text.tsx";
import { ViewMenu } from "./view-menu.tsx";

/** What the toolbar needs of a column. */
type ToolColumn = { key: string; label: string; sort?: string; isHiddenAtFirst?: boolean };

type ListToolbarProps = {
  state: ListState;
  columns: ToolColumn[];
  filters: Filters;
  /** The list's filters; undefined when it has none. */
  children: ReactNode;
  isSearchable: boolean;
  searchPlaceholder: string | undefined;
  exportPath: string | undefined;
  /** True for a list without any rows, which leaves nothing to find, to order, to hide or to export. */
  isEmpty: boolean;
  /** True when other filters may show rows of an empty list. */
  isNarrowedAtFirst: boolean;
  /** Link after all others. */
  end: ReactNode;
};

/** The line above the rows: the search, the filters, and at its end the order, the columns, the saved views and the export. */
export function ListToolbar(props: ListToolbarProps) {
  const {
    state,
    columns,
    filters,
    children,
    isSearchable,
    searchPlaceholder,
    exportPath,
    isEmpty,
    isNarrowedAtFirst,
    end,
  } = props;
  const { t } = useTranslation();
  const tools = useRovingFocus<HTMLDivElement>();
  const hasViews = state.views && (state.views.length > 0 || !isEmpty);
  const hasFilters = children && (!isEmpty || isNarrowedAtFirst);
  if (isEmpty && !hasViews && !hasFilters) return null;
  return (
    <div className="list-toolbar">
      {isSearchable && !isEmpty && <ListSearch state={state} placeholder={searchPlaceholder} />}
      {hasFilters && <FilterGroup filters={filters}>{children}</FilterGroup>}
      <div {...tools} className="list-tools">
        {!isEmpty && <SortMenu state={state} columns={columns} />}
        {!isEmpty && <ColumnMenu columns={columns} />}
        {state.views && hasViews && <ViewMenu views={state.views} />}
        {!isEmpty && exportPath && (
          // The foot of the list has it where the search needs the room.
          <span className="list-wide">
            <ExportLink path={exportPath}>
              <ToolText icon="download" text={t("list.exportShort")} />
            </ExportLink>
          </span>
        )}
      </div>
      {end}
    </div>
  );
}

/** The filters, and on a narrow screen the button that opens them. */
function FilterGroup({ filters, children }: { filters: Filters; children: ReactNode }) {
  const { t } = useTranslation();
  const id = useCssId();
  const group = useRovingFocus<HTMLDivElement>();
  const count = countSet(filters);
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        data-count={count || undefined}
        className="filter list-narrow"
      >
        <Icon name="list-filter" className="size-4 shrink-0" />
        <span>{count > 0 ? t("list.filtersSet", { number: count }) : t("list.filters")}</span>
      </button>
      <div
        {...group}
        id={id}
        popover="auto"
        role="toolbar"
        aria-label={t("list.filters")}
        className="list-filters"
      >
        {children}
        {/* The "×" of a single filter does the same. */}
        {count > 1 && <ClearFilters filters={filters} isTool />}
      </div>
    </>
  );
}

/** Menu of the list's orders. The head of the table has the same links. */
function SortMenu({ state, columns }: { state: ListState; columns: ToolColumn[] }) {
  const { t } = useTranslation();
  const { sort: current, direction } = state;
  const sortable = columns.filter(({ sort }) => sort !== undefined);
  if (sortable.length === 0) return null;
  return (
    <Menu
      label={t("list.sort")}
      trigger={<ToolText icon="arrow-down-up" text={t("list.sort")} />}
      triggerClassName={toolClass}
    >
      {sortable.map(({ key, label, sort }) => (
        <FilterLink
          key={key}
          changes={{ sort, direction: sort === current && direction === "asc" ? "desc" : "asc" }}
          isChosen={sort === current}
        >
          {label}
          {sort === current && <Arrow direction={direction} />}
        </FilterLink>
      ))}
    </Menu>
  );
}

/** The arrow of the current order. */
export function Arrow({ direction }: { direction: "asc" | "desc" }) {
  return (
    <Icon name="chevron-up" className={`size-4 ${direction === "desc" ? "rotate-180" : ""}`} />
  );
}

/** Menu that hides and shows columns. The first column always shows. Cards have no columns. */
function ColumnMenu({ columns }: { columns: ToolColumn[] }) {
  const { t } = useTranslation();
  const hidden = useHiddenColumns(columns);
  const [, ...others] = columns.filter(({ label }) => label !== "");
  return (
    <span className="list-wide">
      <Menu
        label={t("list.columns")}
        trigger={<ToolText icon="columns-3" text={t("list.columns")} />}
        triggerClassName={toolClass}
      >
        {others.map(({ key, label }) => {
          const isHidden = hidden.has(key);
          const next = isHidden ? [...hidden].filter((name) => name !== key) : [...hidden, key];
          return (
            <FilterLink
              key={key}
              changes={{ [HIDDEN_COLUMNS]: hiddenParam(next, columns) }}
              isChosen={!isHidden}
            >
              {label}
            </FilterLink>
          );
        })}
      </Menu>
    </span>
  );
}
