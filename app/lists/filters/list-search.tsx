import { useEffect, useRef, useState } from "react";
import { Form, Link } from "react-router";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { ListState } from "../query/list-state.ts";
import { useListUrl } from "../query/list-url.ts";
import { KeptParams } from "./kept-params.tsx";
import { SEARCH_FORM } from "./list-clear.tsx";
import { useTypingSearch } from "./typing-search.ts";

type ListSearchProps = { state: ListState; placeholder: string | undefined };

/** Search field of a list. Searches while the user types; without JavaScript there is a button. */
export function ListSearch({ state, placeholder }: ListSearchProps) {
  const { t } = useTranslation();
  const search = useTypingSearch();
  const { searchTerm } = state;
  const input = useRef<HTMLInputElement>(null);
  const urlWith = useListUrl();
  const [hasText, setHasText] = useState(searchTerm !== "");

  // Outside React: the field keeps its text while it has the focus, and otherwise follows the URL.
  useEffect(() => {
    const field = input.current;
    if (!field) return;
    if (document.activeElement !== field) field.value = searchTerm;
    setHasText(field.value !== "");
  }, [searchTerm]);

  const label = placeholder ?? t("list.search");
  return (
    <Form method="get" role="search" replace className={SEARCH_FORM}>
      <KeptParams fields={["searchTerm"]} />
      <Icon name="search" className="list-search-icon size-4" />
      <input
        ref={input}
        type="search"
        name="searchTerm"
        defaultValue={searchTerm}
        placeholder={label}
        aria-label={label}
        className="list-search-field"
        onChange={({ currentTarget }) => {
          setHasText(currentTarget.value !== "");
          search(currentTarget.form);
        }}
      />
      {hasText ? (
        <Link
          to={urlWith({ searchTerm: undefined })}
          replace
          aria-label={t("list.clearSearch")}
          title={t("list.clearSearch")}
          className="list-search-end"
          onClick={() => {
            // The link disappears with the text, so the focus moves to the field.
            if (input.current) input.current.value = "";
            setHasText(false);
            input.current?.focus();
          }}
        >
          <Icon name="x" className="size-4" />
        </Link>
      ) : (
        <>
          <span aria-hidden="true" className="list-search-hint">
            /
          </span>
          <button type="submit" className="list-search-end">
            <Icon name="arrow-right" className="size-4" />
            <span className="sr-only">{t("list.submit")}</span>
          </button>
        </>
      )}
    </Form>
  );
}
