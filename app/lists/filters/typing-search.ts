import { useEffect, useRef } from "react";
import { useSubmit } from "react-router";

const DEBOUNCE_MS = 250;

/**
 * Returns a function that sends a search form a moment after the last letter. Following a link, sending a form or closing
 * a dialog in the meantime cancels the search.
 */
export function useTypingSearch(): (form: HTMLFormElement | null) => void {
  const submit = useSubmit();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // Outside React: clicks and submits before the timer ends.
  useEffect(() => {
    const cancel = () => clearTimeout(timer.current);
    const follow = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest("a[href]")) cancel();
    };
    document.addEventListener("click", follow, { capture: true });
    document.addEventListener("submit", cancel, { capture: true });
    // Escape closes the dialog that has the form.
    document.addEventListener("cancel", cancel, { capture: true });
    return () => {
      cancel();
      document.removeEventListener("click", follow, { capture: true });
      document.removeEventListener("submit", cancel, { capture: true });
      document.removeEventListener("cancel", cancel, { capture: true });
    };
  }, []);

  return (form) => {
    clearTimeout(timer.current);
    const send = () => submit(form, { replace: true, preventScrollReset: true });
    timer.current = setTimeout(send, DEBOUNCE_MS);
  };
}
