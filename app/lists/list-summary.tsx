import { useLocation } from "react-router";
import { buttonClass } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { isolate } from "../ui/isolate.ts";
import { useTranslation } from "../ui/translation.tsx";
import { useFormat } from "../ui/use-format.ts";
import { ClearFilters } from "./filter-form.tsx";
import type { ListState } from "./list-state.ts";
import { AllChoice } from "./row-choice.tsx";
import type { Selection } from "./selection.ts";

type ListSummaryProps = {
  state: ListState;
  /** True when any filter is set. */
  isFiltered: boolean;
  exportPath: string | undefined;
  /** Undefined when the rows cannot be chosen. */
  selection: Selection | undefined;
};

/** Line above the rows: the totals, the link that clears the filters, and the link to the export. */
export function ListSummary({ state, isFiltered, exportPath, selection }: ListSummaryProps) {
  const { t } = useTranslation();
  const { search } = useLocation();
  const { total, shown, searchTerm } = state;
  const format = useFormat();
  const count = format.number(total.count) + (total.isCapped ? "+" : "");
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div className="flex min-h-11 flex-wrap items-center gap-x-3">
        <p role="status" className="text-sm text-muted" suppressHydrationWarning>
          {searchTerm
            ? t("list.results", { total: count, searchTerm: isolate(searchTerm) })
            : t("list.showing", { count: format.number(shown), total: count })}
        </p>
        {isFiltered && <ClearFilters state={state} />}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        {selection && (
          <span className="list-narrow">
            <AllChoice selection={selection}>{t("selection.all")}</AllChoice>
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
  );
}
