import { type FormEvent, type KeyboardEvent, useId, useMemo, useState } from "react";
import { Form, useNavigate } from "react-router";
import { Filter, FilterLink } from "../../lists/filters/filters.tsx";
import { KeptParams } from "../../lists/filters/kept-params.tsx";
import { useListUrl } from "../../lists/query/list-url.ts";
import { useServerAnswer } from "../../server-functions/use-server-answer.ts";
import { Button } from "../../ui/forms/button.tsx";
import { closePopover } from "../../ui/overlays/close-popover.ts";
import { useTranslation } from "../../ui/text/translation.tsx";

type PartyFilterProps = {
  name: "actor" | "target";
  label: string;
  value: string | undefined;
  /** Name of the thing that the value refers to, when known. */
  title: string | undefined;
};

type Found = { id: string; name: string; detail?: string };

/**
 * Filter for an actor or a target. What is typed is searched as in the command palette, and each result is a link.
 * Without JavaScript it takes a whole e-mail or an ID.
 */
export function PartyFilter({ name, label, value, title }: PartyFilterProps) {
  const { t } = useTranslation("logs");
  const { t: common } = useTranslation();
  const id = useId();
  const urlWith = useListUrl();
  const navigate = useNavigate();
  const [term, setTerm] = useState("");
  const found = useFoundParties(term, name);
  const [first] = found ?? [];

  /** Chooses the first result, unless a whole e-mail or an ID without results was typed. */
  function submit(event: FormEvent<HTMLFormElement>) {
    if (first) {
      event.preventDefault();
      navigate(urlWith({ [name]: first.id }), { replace: true, preventScrollReset: true });
    }
    closePopover(event);
  }

  return (
    <Filter label={label} chosen={value && (title ?? value)} params={[name]}>
      <Form
        method="get"
        replace
        preventScrollReset
        className="grid gap-1"
        onSubmit={submit}
        onKeyDown={moveFocus}
      >
        <KeptParams fields={[name]} />
        <label htmlFor={id} className="sr-only">
          {label}
        </label>
        <input
          key={value}
          id={id}
          name={name}
          type="search"
          placeholder={t("audit.partyHint")}
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          className="input text-sm not-placeholder-shown:[unicode-bidi:plaintext]"
          onChange={(event) => setTerm(event.currentTarget.value.trim())}
        />
        <Results name={name} found={found} />
        <Button isSmall variant="secondary" className="[@media(scripting:enabled)]:hidden">
          {common("list.apply")}
        </Button>
      </Form>
    </Filter>
  );
}

function Results({ name, found }: { name: string; found: Found[] | undefined }) {
  const { t } = useTranslation("logs");
  return (
    <div role="status">
      {found?.length === 0 && (
        <p className="px-3 py-2 text-sm text-muted">{t("audit.noneFound")}</p>
      )}
      {found?.map(({ id, name: title, detail }) => (
        <FilterLink key={id} changes={{ [name]: id }} isChosen={false}>
          <span className="grid min-w-0 py-1">
            <bdi className="truncate">{title || detail}</bdi>
            {title && detail && <bdi className="truncate text-xs text-muted">{detail}</bdi>}
          </span>
        </FilterLink>
      ))}
    </div>
  );
}

/**
 * Returns what matches a term: users, and for a target also organizations and things of features.
 * Undefined before an answer.
 */
function useFoundParties(term: string, name: "actor" | "target"): Found[] | undefined {
  const payload = useMemo(() => (term === "" ? undefined : { searchTerm: term }), [term]);
  const answer = useServerAnswer("record-search", payload);
  const [last, setLast] = useState(answer);
  // The last results stay until the next come, so that the menu does not jump with each letter.
  if (answer && answer !== last) setLast(answer);
  const records = term === "" ? undefined : (answer ?? last);
  if (!records) return undefined;
  const users = records.users.map(({ id, name: title, email }) => ({
    id,
    name: title,
    detail: email,
  }));
  if (name === "actor") return users;
  const organizations = records.organizations.map(({ id, name: title, slug }) => ({
    id,
    name: title,
    detail: slug,
  }));
  return [
    ...users,
    ...organizations,
    ...Object.values(records.things)
      .flat()
      .map(({ id, name: title }) => ({ id, name: title })),
  ];
}

/** Moves the focus between the field and the results with the arrow keys. */
function moveFocus(event: KeyboardEvent<HTMLFormElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("input[type=search], a")];
  const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
