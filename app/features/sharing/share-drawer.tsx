import { type RefObject, useRef } from "react";
import { Form, useLocation, useNavigation } from "react-router";
import { useTypingSearch } from "../../lists/filters/typing-search.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Button, ButtonLink } from "../../ui/forms/button.tsx";
import { FormErrors } from "../../ui/forms/form-errors.tsx";
import { useArrivalFocus } from "../../ui/layout/use-arrival-focus.ts";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { ShortLink } from "../../ui/text/short-link.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { SEARCH_TERM_MAX_LENGTH } from "../../values/limits.ts";

type ShareDrawerProps = {
  term: string;
  /** The first repositories that match the term, by name. */
  found: { id: string; name: string; link: string }[];
  hasMore: boolean;
  errors: string[] | undefined;
};

/** The drawer "Share a repository": a search, and a button beside each repository. It stays open to share more. */
export function ShareDrawer({ term, found, hasMore, errors }: ShareDrawerProps) {
  const { t } = useTranslation("organizations");
  const { pathname } = useLocation();
  const posted = useNavigation().formData;
  const field = useRef<HTMLInputElement>(null);
  return (
    <Drawer title={t("repositories.share")} closeTo={pathname}>
      <FormErrors errors={errors} />
      <Search term={term} field={field} />
      {/* As high as the most results, FOUND, so that the field stays where it is while the user types. */}
      <div
        className={`grid min-h-[calc(6*(max(2lh,var(--spacing-control))+1rem+1px)+0.75rem+1lh)] gap-3 text-sm ${found.length > 0 ? "content-start" : ""}`}
      >
        {found.length === 0 ? (
          <NothingFound term={term} field={field} />
        ) : (
          <ul aria-label={t("repositories.found")} className="divide-y divide-line">
            {found.map(({ id, name, link }) => (
              <li key={id} className="flex min-w-0 items-center gap-3 py-2">
                <Icon name="folder-git-2" className="size-4 shrink-0 text-muted" />
                <span className="grid min-w-0 grow grid-cols-1">
                  <bdi className="w-fit max-w-full truncate font-medium">{name}</bdi>
                  <ShortLink link={link} />
                </span>
                <Form method="post" preventScrollReset className="shrink-0">
                  <input type="hidden" name="intent" value="share" />
                  <Button
                    variant="secondary"
                    isSmall
                    name="repository"
                    value={id}
                    isBusy={posted?.get("repository") === id}
                  >
                    {t("repositories.shareButton")}
                  </Button>
                </Form>
              </li>
            ))}
          </ul>
        )}
        {hasMore && (
          <p className="text-muted">{t("repositories.foundMore", { shown: found.length })}</p>
        )}
      </div>
    </Drawer>
  );
}

type SearchProps = Pick<ShareDrawerProps, "term"> & {
  field: RefObject<HTMLInputElement | null>;
};

/** Shown in place of the results: what was not found, why that may be, and a link to all others. */
function NothingFound({ term, field }: SearchProps) {
  const { t } = useTranslation("organizations");
  const { t: common } = useTranslation();
  if (!term) return <EmptyState role="status" title={t("repositories.noneLeft")} />;
  return (
    <EmptyState
      role="status"
      title={t("repositories.nothing", { searchTerm: isolate(term) })}
      text={t("repositories.leftOut")}
    >
      <ButtonLink
        variant="secondary"
        isSmall
        to="?share"
        replace
        preventScrollReset
        onClick={() => {
          // The link disappears with the term, so the focus moves to the field.
          if (field.current) field.current.value = "";
          field.current?.focus();
        }}
      >
        {common("list.clearSearch")}
      </ButtonLink>
    </EmptyState>
  );
}

/** Searches while the user types; without JavaScript there is a button. */
function Search({ term, field }: SearchProps) {
  const { t } = useTranslation("organizations");
  const form = useRef<HTMLFormElement>(null);
  const searchLater = useTypingSearch();
  useArrivalFocus(form);
  return (
    <Form
      ref={form}
      method="get"
      role="search"
      replace
      preventScrollReset
      aria-label={t("repositories.search")}
      className="relative"
    >
      <Icon name="search" className="list-search-icon size-4" />
      <input
        ref={field}
        type="search"
        name="share"
        aria-label={t("repositories.search")}
        placeholder={t("repositories.search")}
        maxLength={SEARCH_TERM_MAX_LENGTH}
        defaultValue={term}
        onChange={({ currentTarget }) => searchLater(currentTarget.form)}
        className="list-search-field"
      />
      <button type="submit" className="list-search-end">
        <Icon name="arrow-right" className="size-4" />
        <span className="sr-only">{t("repositories.searchButton")}</span>
      </button>
    </Form>
  );
}
