import type { RefObject } from "react";
import { Menu } from "../../ui/overlays/menu.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { FilterLink } from "../filters/filters.tsx";
import { PAGE_SIZES } from "../query/list-sizes.ts";
import type { ListState } from "../query/list-state.ts";
import { ExportLink } from "./export-link.tsx";
import { LoadMore } from "./load-more.tsx";

type ListFootProps = {
  state: ListState;
  /** The element around the rows. */
  list: RefObject<HTMLElement | null>;
  exportPath: string | undefined;
};

/** Below the rows: how many there are, the links to more, how many a page shows, and on a phone the export. */
export function ListFoot({ state, list, exportPath }: ListFootProps) {
  const { t } = useTranslation();
  const { total, shown, searchTerm } = state;
  const format = useFormat();
  const formatted = format.number(total.count) + (total.isCapped ? "+" : "");
  return (
    <div className="list-foot">
      <p role="status" className="text-sm text-muted" suppressHydrationWarning>
        {searchTerm
          ? t("list.results", {
              count: total.count,
              formatted,
              searchTerm: isolate(searchTerm),
            })
          : t("list.showing", { shown: format.number(shown), total: formatted })}
      </p>
      <LoadMore state={state} list={list} />
      {total.count > PAGE_SIZES[0] && <PageSize size={state.size} />}
      {exportPath && shown > 0 && (
        <span className="list-narrow">
          <ExportLink path={exportPath}>
            <Icon name="download" className="size-4" />
            {t("list.exportShort")}
          </ExportLink>
        </span>
      )}
    </div>
  );
}

function PageSize({ size }: { size: number }) {
  const { t } = useTranslation();
  const label = t("list.perPage", { number: size });
  return (
    <span className="ms-auto">
      <Menu
        label={label}
        trigger={
          <>
            {label}
            <Icon name="chevron-down" className="size-4" />
          </>
        }
        triggerClassName="filter border-transparent text-muted"
      >
        {PAGE_SIZES.map((choice) => (
          <FilterLink
            key={choice}
            changes={{ size: choice === PAGE_SIZES[0] ? undefined : String(choice) }}
            isChosen={choice === size}
          >
            {t("list.perPage", { number: choice })}
          </FilterLink>
        ))}
      </Menu>
    </span>
  );
}
