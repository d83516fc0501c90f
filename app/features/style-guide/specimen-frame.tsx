import type { ReactNode } from "react";

/** Windows that are too narrow or too wide for a primitive do not show it. */
const SHOWN_IN: Record<string, string> = {
  sidebar: "max-md:hidden",
  "sidebar, on a phone": "md:hidden",
};

/** A primitive's name, and its states in a frame. */
export function SpecimenFrame({ name, children }: { name: string; children: ReactNode }) {
  return (
    <article className={`grid content-start gap-2 ${SHOWN_IN[name] ?? ""}`}>
      <h2 className="font-mono text-sm text-muted" dir="ltr" translate="no">
        {name}
      </h2>
      <div className="grid gap-4 rounded-md border border-line p-4">{children}</div>
    </article>
  );
}
