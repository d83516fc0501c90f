import { Children, type ReactNode } from "react";

/** Short texts in one line, with a dot between them that never begins a line. Parts that are null or false are left out. */
export function Dotted({ children }: { children: ReactNode }) {
  return Children.toArray(children).flatMap((part, index) =>
    index > 0 ? ["\u00a0· ", part] : [part],
  );
}
