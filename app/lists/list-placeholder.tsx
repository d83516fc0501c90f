import type { ReactNode } from "react";
import { isolate } from "../ui/isolate.ts";
import { Message } from "../ui/message.tsx";
import { RetryLink } from "../ui/retry-link.tsx";
import { useTranslation } from "../ui/translation.tsx";
import { ClearFilters } from "./filter-form.tsx";
import type { ListState } from "./list-state.ts";

/** Shown in place of rows that could not be loaded: the reason and a link to try again. */
export function FailedList({ state: { failure } }: { state: ListState }) {
  const { t } = useTranslation();
  return (
    <Placeholder
      role="alert"
      isLoading={false}
      text={failure ? <Message value={failure} /> : t("errors.failed")}
    >
      <RetryLink label={t("actions.retry")} />
    </Placeholder>
  );
}

type EmptyListProps = {
  state: ListState;
  isLoading: boolean;
  /** True when any filter is set. */
  isFiltered: boolean;
  /** Link or button for a list without search or filters. */
  emptyAction: ReactNode;
};

/** Shown in place of the rows of an empty list. */
export function EmptyList({ state, isLoading, isFiltered, emptyAction }: EmptyListProps) {
  const { t } = useTranslation();
  const { searchTerm } = state;
  return (
    <Placeholder
      role="status"
      isLoading={isLoading}
      text={
        searchTerm ? t("list.noResults", { searchTerm: isolate(searchTerm) }) : t("list.noData")
      }
    >
      {isFiltered ? <ClearFilters state={state} /> : !searchTerm && emptyAction}
    </Placeholder>
  );
}

type PlaceholderProps = {
  role: "alert" | "status";
  isLoading: boolean;
  text: ReactNode;
  children: ReactNode;
};

function Placeholder({ role, isLoading, text, children }: PlaceholderProps) {
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
