import type { ReactNode } from "react";
import { useCssId } from "../layout/use-css-id.ts";

type MenuProps = {
  label: string;
  trigger: ReactNode;
  triggerClassName?: string;
  /** True when the panel begins at the start of its button instead of ending at its end. */
  isAtStart?: boolean;
  children: ReactNode;
};

/** A button that opens a panel of links and buttons. It is a native popover, so it works without JavaScript. */
export function Menu({ label, trigger, triggerClassName, isAtStart = false, children }: MenuProps) {
  const id = useCssId();
  const anchor = `--menu-${id}`;
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={label}
        // The label may contain a place or a date, which browsers write in their own way.
        suppressHydrationWarning
        style={{ anchorName: anchor }}
        className={triggerClassName ?? "menu-button"}
      >
        {trigger}
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, and there are none here */}
      <div
        id={id}
        popover="auto"
        role="group"
        aria-label={label}
        suppressHydrationWarning
        style={{ positionAnchor: anchor }}
        className={`menu-panel min-w-44 p-1 ${isAtStart ? "menu-at-start" : ""}`}
      >
        {children}
      </div>
    </>
  );
}
