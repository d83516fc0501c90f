import type { ReactNode } from "react";

/** A property and its value, in a list of properties (`<dl>`). */
export function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 content-start gap-1">
      <dt className="text-muted">{term}</dt>
      <dd className="grid min-w-0 grid-cols-1 justify-items-start gap-1">{children}</dd>
    </div>
  );
}
