import type { ReactNode } from "react";
import { useCssId } from "../../ui/layout/use-css-id.ts";
import { Menu } from "../../ui/overlays/menu.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { FilterLink } from "../filters/filters.tsx";
import { ClearFilters } from "../filters/list-clear.tsx";
import { ListSearch } from "../filters/list-search.tsx";
import { countSet, type Filters } from "../query/list-filter.ts";
import type { ListState } from "../query/list-state.ts";
import { ExportLink } from "./export-link.tsx";
import { ToolText, toolClass } from "./tool-text.tsx";

/** What the toolbar needs of a column. */
type ToolColumn = { key: string; label: string; sort?: string };

type ListToolbarProps = {
  state: ListState;
  columns: ToolColumn[];
  filters: Filters;
  /** The list's filters; undefined when it has none. */
  children: ReactNode;
  isSearchable: boolean;
  searchPlaceholder: string | undefined;
  exportPath: string | undefined;
  /** True for a list without any rows, which leaves nothing to find, to order or to export. */
  isEmpty: boolean;
  /** True when other filters may show rows of an empty list. */
  isNarrowedAtFirst: boolean;
  /** Link after all others. */
  end: ReactNode;
};

/** The line above the rows: the search, the filters, and at its end the order and the export. */
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
  const hasFilters = children && (!isEmpty || isNarrowedAtFirst);
  if (isEmpty && !hasFilters) return null;
  return (
    <div className="list-toolbar">
      {isSearchable && !isEmpty && <ListSearch state={state} placeholder={searchPlaceholder} />}
      {hasFilters && <FilterGroup filters={filters}>{children}</FilterGroup>}
      <div className="list-tools">
        {!isEmpty && <SortMenu state={state} columns={columns} />}
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
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, and there are none here */}
      <div
        id={id}
        popover="auto"
        role="group"
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
