import type { SyntheticEvent } from "react";

/** Closes the menu or drawer around the pressed element. The focus returns to the button that opened it. */
export function closePopover({ currentTarget }: SyntheticEvent<HTMLElement>): void {
  const popover = currentTarget.closest<HTMLElement>("[popover]");
  if (!popover) return;
  popover.hidePopover();
  // The browser returns the focus only for the outermost of nested popovers.
  const { activeElement, body } = document;
  if (activeElement !== body && !popover.contains(activeElement)) return;
  document.querySelector<HTMLElement>(`[popovertarget="${popover.id}"]`)?.focus();
}

/**
 * Selects an open menu or another popover that covers the page. Toasts and notices are manual popovers and cover
 * nothing.
 */
export const OPEN_POPOVER = ':popover-open:not([popover="manual"])';
