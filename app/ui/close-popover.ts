import type { MouseEvent } from "react";

/** Closes the menu or drawer around what was pressed; the focus goes back to the button that opened it. */
export function closePopover({ currentTarget }: MouseEvent<HTMLElement>): void {
  currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
}

/** A menu or another popover that covers the page. Toasts and notices stay in a manual popover and cover nothing. */
export const OPEN_POPOVER = ':popover-open:not([popover="manual"])';
