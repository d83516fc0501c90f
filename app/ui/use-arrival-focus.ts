import { type RefObject, useEffect } from "react";

/**
 * Focuses the first field of a form when its screen arrives. Only with a mouse or the like, because on a phone the
 * keyboard would cover the screen; and not when another field has the focus already.
 */
export function useArrivalFocus(form: RefObject<HTMLFormElement | null>): void {
  // Outside React: focus.
  useEffect(() => {
    if (!matchMedia("(pointer: fine)").matches) return;
    if (document.activeElement?.matches("input, textarea, select")) return;
    form.current
      ?.querySelector<HTMLElement>('input:not([type="hidden"]), textarea')
      ?.focus({ preventScroll: true });
  }, [form]);
}
