import { type RefObject, useEffect, useRef } from "react";

/** Focuses the first invalid control of a form, in the middle of the window, when an answer with errors arrives. */
export function useFirstErrorFocus(result: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  // Outside React: focus.
  useEffect(() => {
    if (!result) return;
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    invalid?.focus();
    // With its label above it and its error below.
    invalid?.scrollIntoView({ block: "center" });
  }, [result]);
  return form;
}
