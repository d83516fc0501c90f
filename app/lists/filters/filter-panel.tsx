import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Form, useLocation } from "react-router";
import { useIsHydrated } from "../../ui/layout/use-is-hydrated.ts";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { countSet, type Filters } from "../query/list-filter.ts";
import { FILTERS_BUTTON, FilterPlace } from "./filters.tsx";
import { KeptParams } from "./kept-params.tsx";
import { ClearFilters } from "./list-clear.tsx";

/** The param of the URL that opens the panel in the page, without JavaScript. */
const OPEN_PARAM = "filters";

type FilterPanelProps = { filters: Filters; children: ReactNode };

/**
 * The button "Filters", beside it the filters that are set, and the panel with all of them, which
 * is drawn only while it is open.
 */
export function FilterPanel({ filters, children }: FilterPanelProps) {
  const { t } = useTranslation();
  const isHydrated = useIsHydrated();
  const isAsked = new URLSearchParams(useLocation().search).has(OPEN_PARAM);
  const [isOpen, setIsOpen] = useState(isAsked);
  const panel = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const count = countSet(filters);

  // Outside React: the browser's popover. HTML cannot contain an open one, so until hydration it is part of the page.
  useEffect(() => {
    if (!isHydrated || !isOpen) return;
    panel.current?.showPopover();
    panel.current?.querySelector<HTMLElement>("a, input, select")?.focus();
  }, [isHydrated, isOpen]);

  function toggle(event: MouseEvent) {
    event.preventDefault();
    if (isOpen) panel.current?.hidePopover();
    else setIsOpen(true);
  }

  return (
    <>
      <Form method="get" className="contents">
        <KeptParams fields={[OPEN_PARAM]} />
        <button
          ref={button}
          id={FILTERS_BUTTON}
          type="submit"
          {...(!isAsked && { name: OPEN_PARAM, value: "open" })}
          aria-expanded={isOpen}
          aria-haspopup="dialog"
          style={{ anchorName: "--list-filters" }}
          className="filter filters-button"
          onClick={toggle}
        >
          <Icon name="list-filter" className="size-4 shrink-0" />
          <span>{t("list.filters")}</span>
        </button>
      </Form>
      <div className="filter-chips">
        <FilterPlace value="chips">{children}</FilterPlace>
        {/* The "×" of a single filter does the same. */}
        {count > 1 && <ClearFilters filters={filters} isTool />}
      </div>
      {isOpen && (
        <div
          ref={panel}
          popover={isHydrated ? "auto" : undefined}
          role="dialog"
          aria-label={t("list.filters")}
          style={{ positionAnchor: "--list-filters" }}
          className="filter-panel menu-panel menu-at-start max-sm:menu-sheet"
          onToggle={({ newState, target, currentTarget }) => {
            if (newState !== "closed" || target !== currentTarget) return;
            const { activeElement, body } = document;
            const isLost = activeElement === body || currentTarget.contains(activeElement);
            if (isLost) button.current?.focus();
            setIsOpen(false);
          }}
        >
          {children}
        </div>
      )}
    </>
  );
}
