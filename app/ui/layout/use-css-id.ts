import { useId } from "react";

/** Returns an id that is also valid in CSS, for names of anchors and selectors. */
export function useCssId(): string {
  return useId().replace(/[^\w-]/g, "");
}
