import { useEffect, useRef } from "react";
import { Form, Link, useSubmit } from "react-router";
import { Button, buttonClass } from "../ui/button.tsx";
import { inputClass } from "../ui/field.tsx";
import { useTranslation } from "../ui/translation.tsx";
import type { ListState } from "./list-state.ts";
import { useListUrl } from "./list-url.ts";

const DEBOUNCE_MS = 250;

type ListSearchProps = {
  state: ListState;
  /** Filters that are set; a search keeps them. */
  filters: Record<string, string | undefined>;
  placeholder: string | undefined;
};

/** Search field of a list. Searches while the user types; without JavaScript there is a button. */
export function ListSearch({ state, filters, placeholder }: ListSearchProps) {
  const { t } = useTranslation();
  const submit = useSubmit();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { searchTerm, sort, direction } = state;
  const input = useRef<HTMLInputElement>(null);
  const urlWith = useListUrl();

  // Outside React: clicks and submits before the timer ends. Following a link or sending another form cancels the
  // search.
  useEffect(() => {
    const cancel = () => clearTimeout(timer.current);
    const follow = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest("a[href]")) cancel();
    };
    document.addEventListener("click", follow, { capture: true });
    document.addEventListener("submit", cancel, { capture: true });
    return () => {
      cancel();
      document.removeEventListener("click", follow, { capture: true });
      document.removeEventListener("submit", cancel, { capture: true });
    };
  }, []);

  // Outside React: the field keeps its text while it has the focus, and otherwise follows the URL.
  useEffect(() => {
    const field = input.current;
    if (field && document.activeElement !== field) field.value = searchTerm;
  }, [searchTerm]);

  return (
    <Form method="get" role="search" replace className="flex gap-2">
      <input type="hidden" name="sort" value={sort} />
      <input type="hidden" name="direction" value={direction} />
      {Object.entries(filters).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <input
        ref={input}
        type="search"
        name="searchTerm"
        defaultValue={searchTerm}
        placeholder={placeholder ?? t("list.search")}
        aria-label={placeholder ?? t("list.search")}
        className={`${inputClass} max-w-md [unicode-bidi:plaintext] [&::-webkit-search-cancel-button]:hidden`}
        onChange={(event) => {
          const { form } = event.currentTarget;
          clearTimeout(timer.current);
          timer.current = setTimeout(() => submit(form, { replace: true }), DEBOUNCE_MS);
        }}
      />
      {searchTerm ? (
        <Link
          to={urlWith({ searchTerm: undefined })}
          replace
          className={buttonClass("quiet", "shrink-0")}
          onClick={() => {
            clearTimeout(timer.current);
            // The link disappears with the term, so the focus moves to the field.
            if (input.current) input.current.value = "";
            input.current?.focus();
          }}
        >
          {t("list.clearSearch")}
        </Link>
      ) : (
        <Button variant="secondary" className="shrink-0 [@media(scripting:enabled)]:hidden">
          {t("list.submit")}
        </Button>
      )}
    </Form>
  );
}
