import type { SyntheticEvent } from "react";

/** Closes the menu or drawer around the pressed element. The focus returns to the button that opened it. */
export function closePopover({ currentTarget }: SyntheticEvent<HTMLElement>): void {
  currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
}

/**
 * Selects an open menu or another popover that covers the page. Toasts and notices are manual popovers and cover
 * nothing.
 */
export const OPEN_POPOVER = ':popover-open:not([popover="manual"])';
