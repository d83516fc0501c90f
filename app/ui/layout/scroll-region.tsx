import type { ReactNode } from "react";

type ScrollRegionProps = { label: string; children: ReactNode };

/**
 * Scrolls a wide table sideways on a narrow screen. The keyboard can reach it, because the arrow keys scroll it. It is
 * positioned, so that hidden texts inside are cut with the table.
 */
export function ScrollRegion({ label, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without links inside, nothing else takes the focus
    <section aria-label={label} tabIndex={0} className="relative -mx-4 overflow-x-auto px-4">
      {children}
    </section>
  );
}
