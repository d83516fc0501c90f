import { type MouseEvent, type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Link } from "react-router";
import { buttonClass } from "../../ui/forms/button.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import type { IconName } from "../../ui/text/icon-names.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Selection } from "../bulk/selection.ts";
import { FROM_LIST } from "./back-link.tsx";

export type RowMenuOptions<Row> = {
  nameOf: (row: Row) => string;
  /**
   * The row's own screen, which has all of the actions: the first link of the menu, and where the "⋯" leads without
   * JavaScript. Rows without a screen have no "⋯" then: they are ticked.
   */
  screen?: { icon: IconName; pathOf: (row: Row) => string };
  idOf: (row: Row) => string;
  /** Further links; false for those that the manager may not follow. */
  links?: (row: Row) => (RowLink | false)[];
  /** The list's bulk actions that can be asked for this row alone; false for those that the manager may not do. */
  actions?: (row: Row) => (RowAction | false)[];
};

type RowLink = { to: string; icon: IconName; label: string };

export type RowAction = { intent: string; icon: IconName; label: string; isDestructive?: boolean };

type RowMenuLinkProps = { id: string; to: string | undefined; name: string };

/** The "⋯" at the end of a row. Without JavaScript it leads to the row's screen. */
export function RowMenuLink({ id, to, name }: RowMenuLinkProps) {
  const { t } = useTranslation();
  const trigger = {
    "data-row": id,
    "aria-haspopup": true,
    "aria-label": t("list.rowActions", { name }),
  };
  const dots = <Icon name="ellipsis" className="size-4" />;
  // A plain link: a Link would follow the click before the list can open the menu.
  return to ? (
    <a href={to} {...trigger} className="list-more-link">
      {dots}
    </a>
  ) : (
    <button
      type="button"
      {...trigger}
      className="list-more-link [@media(scripting:none)]:invisible"
    >
      {dots}
    </button>
  );
}

/** One menu for all rows of a list, because a menu in each row would double the page. */
export function useRowMenu() {
  const panel = useRef<HTMLDivElement>(null);
  const link = useRef<HTMLElement>(null);
  const [id, setId] = useState<string>();

  // Outside React: the browser's popover, which opens once it has the row's actions.
  useEffect(() => {
    if (id === undefined || !panel.current || !link.current) return;
    link.current.style.setProperty("anchor-name", "--row-menu");
    panel.current.showPopover();
    panel.current.querySelector<HTMLElement>("a, button")?.focus();
  }, [id]);

  /** Opens the menu when a "⋯" was pressed. */
  function open(event: MouseEvent) {
    const { target, ctrlKey, metaKey, shiftKey } = event;
    const pressed = target instanceof Element && target.closest<HTMLElement>("[data-row]");
    if (!pressed || ctrlKey || metaKey || shiftKey) return;
    event.preventDefault();
    link.current = pressed;
    setId(pressed.dataset.row);
  }

  function onToggle({ newState }: { newState: string }) {
    if (newState !== "closed") return;
    link.current?.style.removeProperty("anchor-name");
    const { activeElement, body } = document;
    if (activeElement === body || panel.current?.contains(activeElement)) link.current?.focus();
    setId(undefined);
  }

  return { panel, id, open, onToggle };
}

type RowMenuProps<Row> = {
  menu: ReturnType<typeof useRowMenu>;
  options: RowMenuOptions<Row>;
  row: Row | undefined;
  selection: Selection;
};

/** The open menu of a row: its screens, and the bulk actions for this row alone. */
export function RowMenu<Row>({ menu, options, row, selection }: RowMenuProps<Row>) {
  const { t } = useTranslation();
  const close = () => menu.panel.current?.hidePopover();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, and there are none here
    <div
      ref={menu.panel}
      popover="auto"
      role="group"
      aria-label={row && t("list.rowActions", { name: options.nameOf(row) })}
      style={{ positionAnchor: "--row-menu" }}
      className="menu-panel min-w-44 p-1"
      onToggle={menu.onToggle}
    >
      {row && (
        <>
          {linksOf(options, row, t("list.open")).map(({ to, icon, label }) => (
            <Link key={to} to={to} state={FROM_LIST} className="menu-item" onClick={close}>
              <Icon name={icon} className="size-4" />
              {label}
            </Link>
          ))}
          {options.screen && (
            <button
              type="button"
              className="menu-item"
              onClick={() => {
                void navigator.clipboard?.writeText(options.idOf(row));
                close();
              }}
            >
              <Icon name="copy" className="size-4" />
              {t("list.copyId")}
            </button>
          )}
          {allowed(options.actions?.(row)).map(({ intent, icon, label, isDestructive }) => (
            <button
              key={intent}
              type="button"
              className={`menu-item ${isDestructive ? "text-danger" : ""}`}
              onClick={() => {
                close();
                // The question is drawn for the chosen row before it opens.
                flushSync(() => selection.chooseOnly(options.idOf(row)));
                ask(selection.list, intent);
              }}
            >
              <Icon name={icon} className="size-4" />
              {label}
            </button>
          ))}
        </>
      )}
    </div>
  );
}

function linksOf<Row>({ screen, links }: RowMenuOptions<Row>, row: Row, open: string): RowLink[] {
  const own = screen && { to: screen.pathOf(row), icon: screen.icon, label: open };
  return allowed([own, ...(links?.(row) ?? [])]);
}

/** Leaves out what the manager may not follow or do. */
function allowed<Entry extends object>(entries: (Entry | false | undefined)[] = []): Entry[] {
  return entries.filter((entry) => typeof entry === "object");
}

type RowAskProps = {
  id: string;
  intent: string;
  label: string;
  /** Name of the row, for screen readers. */
  name: string;
};

/** A button in a row that starts a bulk action for this row alone. Without JavaScript the row is ticked instead. */
export function RowAsk({ id, intent, label, name }: RowAskProps) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      aria-label={t("labelled", { label, value: name })}
      data-asked-for={id}
      value={intent}
      className={buttonClass("secondary", "ms-auto flex [@media(scripting:none)]:hidden", true)}
    >
      {label}
    </button>
  );
}

/** Starts a bulk action when its button in a row was pressed. */
export function askFromRow({ target }: MouseEvent, selection: Selection): void {
  const button = target instanceof Element && target.closest("button[data-asked-for]");
  if (!(button instanceof HTMLButtonElement)) return;
  flushSync(() => selection.chooseOnly(button.dataset.askedFor ?? ""));
  ask(selection.list, button.value);
}

/** Opens the bulk action's question, which is then about the chosen row. An action without a question runs at once. */
function ask(list: RefObject<HTMLElement | null>, intent: string): void {
  const button = list.current?.querySelector<HTMLElement>(
    `button:is([name="intent"], [name="asked"])[value="${intent}"]`,
  );
  const question = button?.closest<HTMLElement>("[popover]");
  if (question) question.showPopover();
  else button?.click();
}
