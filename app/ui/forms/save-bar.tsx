import type { ReactNode } from "react";
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
  return (
    <div
      // Without JavaScript the page cannot know what changed, so the button stays in view.
      className={`bottom-0 -mx-4 flex flex-wrap items-center justify-end gap-3 border-t bg-page px-4 py-3 md:-mx-6 md:px-6 ${isUnsaved ? "sticky border-line" : "border-transparent noscript:sticky noscript:border-line"}`}
    >
      <p role="status" className="me-auto text-sm text-muted">
        {isUnsaved && <SaveState errors={errors} />}
      </p>
      {children}
    </div>
  );
}

/** Says that there are unsaved changes, or links to the first field with an error. */
function SaveState({ errors }: Pick<SaveBarProps, "errors">) {
  const { t } = useTranslation();
  const format = useFormat();
  const names = Object.keys(errors).filter((name) => name !== "");
  const count = names.length;
  if (count === 0) return t("saveBar.unsaved");
  return (
    <a
      href={`#field-${names[0]}`}
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
