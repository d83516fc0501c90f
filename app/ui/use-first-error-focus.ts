import { type RefObject, useEffect, useRef } from "react";

/** Focuses the first invalid control of a form when an answer with errors arrives. */
export function useFirstErrorFocus(result: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  // Outside React: focus.
  useEffect(() => {
    if (result) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [result]);
  return form;
}
