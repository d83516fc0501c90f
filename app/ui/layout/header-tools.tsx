import type { ReactNode } from "react";
import { useRovingFocus } from "./use-roving-focus.ts";

/** The buttons at the end of a header. They are one stop of the Tab key. The last icon, not its button, ends with the page. */
export function HeaderTools({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div
      {...useRovingFocus<HTMLDivElement>()}
      role="toolbar"
      aria-label={label}
      className="-me-2 flex items-center"
    >
      {children}
    </div>
  );
}
