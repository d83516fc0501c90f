import type { ReactNode } from "react";
import { AutoRetryLink } from "../../ui/feedback/auto-retry-link.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { RetryLink } from "../../ui/feedback/retry-link.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { WithOwnText } from "../../ui/text/with-own-text.tsx";
import { ClearFilters, ClearSearch } from "../filters/list-clear.tsx";
import { type Filters, hasAny, isNarrowed } from "../query/list-filter.ts";
import type { ListState } from "../query/list-state.ts";

/**
 * Shown in place of rows that could not be loaded, with a link to try again. A silent database is asked again without
 * it.
 */
export function FailedList({ isSilent }: { isSilent: boolean }) {
  const { t } = useTranslation();
  if (isSilent) {
    return (
      <EmptyState role="alert" title={t("errors.silent")} text={t("errors.silentText")}>
        <AutoRetryLink isSmall label={t("actions.retry")} />
      </EmptyState>
    );
  }
  return (
    <EmptyState role="alert" title={t("errors.failed")} text={t("errors.failedText")}>
      <RetryLink isSmall label={t("actions.retry")} />
    </EmptyState>
  );
}

type EmptyListProps = {
  state: ListState;
  isLoading: boolean;
  filters: Filters;
  /** A sentence for a list without search or filters: when there will be something. */
  emptyText: ReactNode;
  /** A sentence for a search without results. */
  searchText: ReactNode;
  /** Link or button for a list without search or filters. */
  emptyAction: ReactNode;
};

/** Shown in place of the rows of an empty list: the reason, and what to do about it. */
export function EmptyList(props: EmptyListProps) {
  const { state, isLoading, filters, emptyText, searchText, emptyAction } = props;
  const { t } = useTranslation();
  const { searchTerm } = state;
  const isFiltered = hasAny(filters);
  const isWhole = !isNarrowed(state, filters);
  return (
    <div aria-busy={isLoading || undefined} className="aria-busy:opacity-60">
      <EmptyState
        role="status"
        title={
          searchTerm ? (
            <WithOwnText
              text={(value) => t("list.noResults", { searchTerm: value })}
              value={searchTerm}
            />
          ) : (
            t("list.noData")
          )
        }
        text={isFiltered ? t("list.noMatches") : isWhole ? emptyText : searchText}
      >
        {isWhole ? (
          // Without an element around it, one that is hidden on a desktop leaves no gap.
          emptyAction
        ) : (
          <div className="flex flex-wrap justify-center gap-2">
            {isFiltered && <ClearFilters filters={filters} variant="secondary" />}
            {searchTerm && <ClearSearch />}
          </div>
        )}
      </EmptyState>
    </div>
  );
}
