import "./filters.css";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { closePopover } from "../../ui/overlays/close-popover.ts";
import { Menu } from "../../ui/overlays/menu.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useListUrl } from "../query/list-url.ts";

type FilterProps = {
  label: string;
  /** Text of the chosen value; undefined while the filter is not set. */
  chosen: string | undefined;
  /** The filter's params, which its "×" removes. */
  params: readonly string[];
  children: ReactNode;
};

/** A filter: a button that opens its choices, and, when set, its value with a link that removes it. */
export function Filter({ label, chosen, params, children }: FilterProps) {
  const { t } = useTranslation();
  const urlWith = useListUrl();
  const isSet = chosen !== undefined;
  const text = isSet ? t("labelled", { label, value: isolate(chosen) }) : label;
  // One tree for both, so that the open menu and the focus stay while the value changes.
  return (
    <span className={isSet ? "filter-set" : "filter-unset"}>
      <Menu label={text} trigger={<Trigger text={text} />} triggerClassName="filter" isAtStart>
        {children}
      </Menu>
      {isSet && (
        <Link
          to={urlWith(Object.fromEntries(params.map((name) => [name, undefined])))}
          replace
          preventScrollReset
          aria-label={t("list.removeFilter", { name: text })}
          className="filter-remove"
        >
          <Icon name="x" className="size-4" />
        </Link>
      )}
    </span>
  );
}

function Trigger({ text }: { text: string }) {
  return (
    <>
      {/* Dates are in it, which the browser may write in another way. */}
      <span className="truncate" suppressHydrationWarning>
        {text}
      </span>
      <Icon name="chevron-down" className="size-4 shrink-0 text-muted" />
    </>
  );
}

type FilterLinkProps = {
  /** The params that the choice sets; undefined removes one. */
  changes: Record<string, string | undefined>;
  isChosen: boolean;
  children: ReactNode;
};

/** One choice of a filter or another menu of the toolbar. */
export function FilterLink({ changes, isChosen, children }: FilterLinkProps) {
  const urlWith = useListUrl();
  return (
    <Link
      to={urlWith(changes)}
      replace
      preventScrollReset
      aria-current={isChosen || undefined}
      className="filter-link"
      onClick={closePopover}
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
  return (
    <Filter label={label} chosen={chosen} params={[name]}>
      <FilterLink changes={{ [name]: undefined }} isChosen={chosen === undefined}>
        {unsetLabel ?? t("list.any")}
      </FilterLink>
      {options.map(([option, text]) => (
        <FilterLink key={option} changes={{ [name]: option }} isChosen={option === value}>
          {text}
        </FilterLink>
      ))}
    </Filter>
  );
}
