import { ButtonLink, type ButtonVariant } from "../../ui/forms/button.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Filters } from "../query/list-filter.ts";
import { useListUrl } from "../query/list-url.ts";

/** Class of the form around a list's search field. */
export const SEARCH_FORM = "list-search";

type ClearFiltersProps = {
  filters: Filters;
  variant?: ButtonVariant;
  /** True in the toolbar, whose place says what is cleared. */
  isTool?: boolean;
};

/** Link that clears the filters and keeps the rest of the list's URL. */
export function ClearFilters({ filters, variant = "quiet", isTool = false }: ClearFiltersProps) {
  const { t } = useTranslation();
  const urlWith = useListUrl();
  const none = Object.fromEntries(Object.keys(filters).map((name) => [name, undefined]));
  return (
    <ButtonLink
      variant={variant}
      isSmall
      to={urlWith(none)}
      replace
      preventScrollReset
      onClick={focusSearch}
      aria-label={isTool ? t("list.clearFilters") : undefined}
      className={isTool ? "shrink-0" : ""}
    >
      {t(isTool ? "list.clear" : "list.clearFilters")}
    </ButtonLink>
  );
}

/** Link that clears the search and keeps the rest of the list's URL. */
export function ClearSearch() {
  const { t } = useTranslation();
  const urlWith = useListUrl();
  return (
    <ButtonLink
      variant="secondary"
      isSmall
      to={urlWith({ searchTerm: undefined })}
      replace
      onClick={focusSearch}
    >
      {t("list.clearSearch")}
    </ButtonLink>
  );
}

/**
 * Moves the focus to the search field, because the pressed link disappears. A list without search
 * has its filters instead.
 */
function focusSearch(): void {
  const field = document.querySelector<HTMLElement>(
    `.${SEARCH_FORM} input[type=search], .filters-button`,
  );
  field?.focus();
}
