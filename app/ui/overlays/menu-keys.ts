import { FOCUSABLE } from "../layout/keep-focus.ts";

/** The panel of a menu: a group of links and buttons. */
const MENU = '[popover][role="group"]';

/**
 * Lets the arrow keys, Home, End and first letters move in an open menu, and the arrow keys open
 * one at its button. Returns a function that ends this.
 */
export function moveInMenus(): () => void {
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

function onKey(event: KeyboardEvent): void {
  const { target, key } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!(target instanceof HTMLElement) || target.matches("input, select, textarea")) return;
  const menu = target.closest<HTMLElement>(MENU) ?? menuOf(target, key);
  if (!menu) return;
  const items = [...menu.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((item) =>
    item.checkVisibility(),
  );
  const next = itemFor(key, items, items.indexOf(target));
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** Returns the menu of a button, which opens for an arrow key. */
function menuOf(button: HTMLElement, key: string): HTMLElement | undefined {
  if (key !== "ArrowDown" && key !== "ArrowUp") return undefined;
  const menu = document.getElementById(button.getAttribute("popovertarget") ?? "");
  if (!menu?.matches(MENU)) return undefined;
  menu.togglePopover(true);
  return menu;
}

/** Returns the item that a key leads to; `current` is -1 at the menu's button. */
function itemFor(key: string, items: HTMLElement[], current: number): HTMLElement | undefined {
  if (key === "Home") return items[0];
  if (key === "End") return items.at(-1);
  if (key === "ArrowDown") return items[(current + 1) % items.length];
  if (key === "ArrowUp") return items.at(Math.max(current, 0) - 1);
  if (key.length !== 1 || key === " ") return undefined;
  const after = [...items.slice(current + 1), ...items.slice(0, current + 1)];
  return after.find(({ textContent }) =>
    textContent.trim().toLowerCase().startsWith(key.toLowerCase()),
  );
}
