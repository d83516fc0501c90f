import "./filters.css";
import { createContext, type ReactNode, use } from "react";
import { Form, Link, useNavigate } from "react-router";
import { Button } from "../../ui/forms/button.tsx";
import { Select } from "../../ui/forms/select.tsx";
import { closePopover } from "../../ui/overlays/close-popover.ts";
import { Icon } from "../../ui/text/icon.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useListUrl } from "../query/list-url.ts";
import { KeptParams } from "./kept-params.tsx";

/** More choices than this are a select instead of a line of links. */
const MOST_LINKS = 6;

/** Where a filter is drawn: among the filters that are set, or with its choices in the panel of all filters. */
export const FilterPlace = createContext<"chips" | "panel">("panel");

/** Id of the button that opens the panel. Takes the focus when a chip disappears. */
export const FILTERS_BUTTON = "list-filters-button";

type FilterProps = {
  label: string;
  /** Text of the chosen value; undefined while the filter is not set. */
  chosen: string | undefined;
  /** The filter's params, which its "×" removes. */
  params: readonly string[];
  children: ReactNode;
};

/** A filter: in the panel its choices, and beside the panel's button, when set, its value as a link that removes it. */
export function Filter({ label, chosen, params, children }: FilterProps) {
  const { t } = useTranslation();
  if (use(FilterPlace) === "panel") {
    return (
      <fieldset className="grid gap-2">
        <legend className="pb-2 text-sm font-medium">{label}</legend>
        {children}
      </fieldset>
    );
  }
  if (chosen === undefined) return null;
  return <Chip text={t("labelled", { label, value: isolate(chosen) })} params={params} />;
}

function Chip({ text, params }: { text: string; params: readonly string[] }) {
  const { t } = useTranslation();
  const urlWith = useListUrl();
  return (
    <Link
      to={urlWith(Object.fromEntries(params.map((name) => [name, undefined])))}
      replace
      preventScrollReset
      aria-label={t("list.removeFilter", { name: text })}
      className="filter filter-set"
      onClick={() => document.getElementById(FILTERS_BUTTON)?.focus()}
    >
      {/* Dates are in it, which the browser may write in another way. */}
      <span className="truncate" suppressHydrationWarning>
        {text}
      </span>
      <Icon name="x" className="size-4 shrink-0" />
    </Link>
  );
}

type FilterLinkProps = {
  /** The params that the choice sets; undefined removes one. */
  changes: Record<string, string | undefined>;
  isChosen: boolean;
  children: ReactNode;
  className?: string;
};

/** One choice of a menu of the list, which it closes. */
export function FilterLink({ className = "filter-link", ...props }: FilterLinkProps) {
  return <Choice {...props} className={className} onClick={closePopover} />;
}

/** One of a few choices of a filter. The panel stays open for another. */
export function FilterPill(props: Omit<FilterLinkProps, "className">) {
  return <Choice {...props} className="filter-pill" />;
}

type ChoiceProps = FilterLinkProps & { onClick?: typeof closePopover };

function Choice({ changes, isChosen, children, className, onClick }: ChoiceProps) {
  const urlWith = useListUrl();
  return (
    <Link
      to={urlWith(changes)}
      replace
      preventScrollReset
      aria-current={isChosen || undefined}
      className={className}
      onClick={onClick}
    >
      {children}
    </Link>
  );
}

type FilterOptionsProps = {
  name: string;
  label: string;
  value: string | undefined;
  options: [value: string, label: string][];
  /** What the list shows without a value; by default everything. */
  unsetLabel?: string;
};

/** Filter for one of several values. */
export function FilterOptions({ name, label, value, options, unsetLabel }: FilterOptionsProps) {
  const { t } = useTranslation();
  const chosen = options.find(([option]) => option === value)?.[1];
  const unset = unsetLabel ?? t("list.any");
  return (
    <Filter label={label} chosen={chosen} params={[name]}>
      {options.length > MOST_LINKS ? (
        <FilterSelect name={name} label={label} unset={unset} value={chosen && value}>
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </FilterSelect>
      ) : (
        <div className="flex flex-wrap gap-1.5">
          <FilterPill changes={{ [name]: undefined }} isChosen={chosen === undefined}>
            {unset}
          </FilterPill>
          {options.map(([option, text]) => (
            <FilterPill key={option} changes={{ [name]: option }} isChosen={option === value}>
              {text}
            </FilterPill>
          ))}
        </div>
      )}
    </Filter>
  );
}

type FilterSelectProps = Pick<FilterOptionsProps, "name" | "label" | "value"> & {
  unset: string;
  /** The options. */
  children: ReactNode;
};

/** Many values to choose from. Without JavaScript a button applies the choice. */
export function FilterSelect({ name, label, value, unset, children }: FilterSelectProps) {
  const { t } = useTranslation();
  const urlWith = useListUrl();
  const navigate = useNavigate();
  return (
    <Form method="get" className="flex gap-2">
      <KeptParams fields={[name]} />
      <Select
        key={value}
        name={name}
        aria-label={label}
        defaultValue={value ?? ""}
        isSmall
        className="grow"
        onChange={(event) => {
          const chosen = event.currentTarget.value || undefined;
          void navigate(urlWith({ [name]: chosen }), { replace: true, preventScrollReset: true });
        }}
      >
        <option value="">{unset}</option>
        {children}
      </Select>
      <Button isSmall variant="secondary" className="[@media(scripting:enabled)]:hidden">
        {t("list.apply")}
      </Button>
    </Form>
  );
}
