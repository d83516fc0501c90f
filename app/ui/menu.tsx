import type { ReactNode } from "react";
import { useCssId } from "./use-css-id.ts";

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
        style={{ anchorName: anchor }}
        className={
          triggerClassName ??
          "inline-flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-md px-2 text-sm text-muted transition-colors duration-150 hover:bg-fill hover:text-ink"
        }
      >
        {trigger}
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, and there are none here */}
      <div
        id={id}
        popover="auto"
        role="group"
        aria-label={label}
        style={{ positionAnchor: anchor }}
        className={`menu-panel min-w-44 rounded-md border border-line bg-panel p-1 text-ink shadow-high ${isAtStart ? "menu-at-start" : ""}`}
      >
        {children}
      </div>
    </>
  );
}

export const menuItemClass =
  "flex min-h-11 w-full items-center gap-3 rounded-md px-3 text-start text-sm transition-colors duration-150 hover:bg-fill active:bg-fill-hover aria-pressed:font-medium";
