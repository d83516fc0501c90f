import type { MouseEvent } from "react";

/** Closes the menu or drawer around what was pressed; the focus goes back to the button that opened it. */
export function closePopover({ currentTarget }: MouseEvent<HTMLElement>): void {
  currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
}
