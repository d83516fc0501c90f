import type { ReactNode } from "react";
import { Menu } from "../../ui/overlays/menu.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { FilterPanel } from "../filters/filter-panel.tsx";
import { FilterLink } from "../filters/filters.tsx";
import { ListSearch } from "../filters/list-search.tsx";
import type { Filters } from "../query/list-filter.ts";
import type { ListState } from "../query/list-state.ts";
import { ExportLink } from "./export-link.tsx";
import { ToolText, toolClass } from "./tool-text.tsx";

/** What the toolbar needs of a column. */
type ToolColumn = { label: string; sort?: string; also?: Order };

type Order = { label: string; sort: string };

type ListToolbarProps = {
  state: ListState;
  columns: ToolColumn[];
  filters: Filters;
  /** The list's filters; undefined when it has none. */
  children: ReactNode;
  isSearchable: boolean;
  searchPlaceholder: string | undefined;
  exportPath: string | undefined;
  tools: ReactNode;
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
    tools,
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
      {hasFilters && <FilterPanel filters={filters}>{children}</FilterPanel>}
      <div className="list-tools">
        {!isEmpty && (
          <span className="list-narrow">
            <SortMenu state={state} columns={columns} />
          </span>
        )}
        {tools}
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

/** Menu of the list's orders. The head of the table has the same links. */
function SortMenu({ state, columns }: { state: ListState; columns: ToolColumn[] }) {
  const { t } = useTranslation();
  const { sort: current, direction } = state;
  const sortable = columns.flatMap(({ label, sort, also }): Order[] => [
    ...(sort ? [{ label, sort }] : []),
    ...(also ? [also] : []),
  ]);
  if (sortable.length === 0) return null;
  return (
    <Menu
      label={t("list.sort")}
      trigger={<ToolText icon="arrow-down-up" text={t("list.sort")} />}
      triggerClassName={toolClass}
    >
      {sortable.map(({ label, sort }) => (
        <FilterLink
          key={sort}
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

export function Arrow({ direction }: { direction: "asc" | "desc" }) {
  return (
    <Icon name="chevron-up" className={`size-4 ${direction === "desc" ? "rotate-180" : ""}`} />
  );
}
