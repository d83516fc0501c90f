import { type RefObject, useEffect, useRef } from "react";

/** Height of a bar that may cover the end of the window. */
const BAR_HEIGHT = 96;

/** Focuses the first invalid control of a form when an answer with errors arrives. */
export function useFirstErrorFocus(result: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  // Outside React: focus.
  useEffect(() => {
    if (result) focusFirstError(form.current);
  }, [result]);
  return form;
}

/** Focuses the first invalid control of a form. It moves to the middle of the window unless it is in view already. */
export function focusFirstError(form: HTMLFormElement | null): void {
  const invalid = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (!invalid) return;
  invalid.focus({ preventScroll: true });
  // With its label above it and its error below.
  const field = invalid.parentElement ?? invalid;
  const { top, bottom } = field.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight - BAR_HEIGHT) invalid.scrollIntoView({ block: "center" });
}
