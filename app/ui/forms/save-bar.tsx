import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import type { MessageReference } from "../text/message.tsx";
import { useTranslation } from "../text/translation.tsx";
import { useFormat } from "../text/use-format.ts";
import { focusFirstError } from "./use-first-error-focus.ts";

type SaveBarProps = {
  isUnsaved: boolean;
  errors: Record<string, MessageReference[]>;
  /** The button, and what stands beside it. */
  children: ReactNode;
};

/** Foot of a long form. It stays in view while there are unsaved changes. */
export function SaveBar({ isUnsaved, errors, children }: SaveBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const corrected = useCorrected(bar, errors);
  const wrong = Object.keys(errors).filter((name) => name !== "" && !corrected.includes(name));
  return (
    <div
      ref={bar}
      // Without JavaScript the page cannot know what changed, so the button stays in view.
      className={`bottom-0 -mx-4 flex flex-wrap items-center justify-end gap-3 border-t bg-page px-4 py-3 md:-mx-6 md:px-6 ${isUnsaved ? "sticky border-line" : "border-transparent noscript:sticky noscript:border-line"}`}
    >
      <p role="status" className="me-auto text-sm text-muted">
        {isUnsaved && <SaveState wrong={wrong} />}
      </p>
      {children}
    </div>
  );
}

/** Returns the fields whose values have changed since the errors came, as `useCorrection` does for one. */
function useCorrected(inForm: RefObject<HTMLElement | null>, errors: SaveBarProps["errors"]) {
  const [corrected, setCorrected] = useState<string[]>([]);
  const [of, setOf] = useState(errors);
  if (of !== errors) {
    setOf(errors);
    if (corrected.length > 0) setCorrected([]);
  }
  // Outside React: the form around the bar.
  useEffect(() => {
    const form = inForm.current?.closest("form");
    const note = ({ target }: Event) => {
      const name = target instanceof Element && target.getAttribute("name");
      if (name) setCorrected((before) => (before.includes(name) ? before : [...before, name]));
    };
    form?.addEventListener("input", note);
    return () => form?.removeEventListener("input", note);
  }, [inForm]);
  return corrected;
}

/** Says that there are unsaved changes, or links to the first field with an error. */
function SaveState({ wrong }: { wrong: string[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const count = wrong.length;
  if (count === 0) return t("saveBar.unsaved");
  return (
    <a
      href={`#field-${wrong[0]}`}
      onClick={(event) => {
        // The router would load the page of the other URL, without the errors.
        event.preventDefault();
        focusFirstError(event.currentTarget.closest("form"));
      }}
      className="inline-flex min-h-control items-center font-medium text-danger underline underline-offset-4"
    >
      {t("saveBar.refused", { count, formatted: format.number(count) })}
    </a>
  );
}
