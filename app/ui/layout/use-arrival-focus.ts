import { type RefObject, useEffect } from "react";

/**
 * Focuses the first field of a form, if there is one, when its screen opens. Only with a mouse or
 * similar, because on a phone the keyboard would cover the screen. Not when another field already
 * has the focus.
 */
export function useArrivalFocus(form: RefObject<HTMLFormElement | null> | undefined): void {
  // Outside React: focus.
  useEffect(() => {
    if (!matchMedia("(pointer: fine)").matches) return;
    if (document.activeElement?.matches("input, textarea, select")) return;
    form?.current
      ?.querySelector<HTMLElement>('input:not([type="hidden"]), textarea')
      ?.focus({ preventScroll: true });
  }, [form]);
}
