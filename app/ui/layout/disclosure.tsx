import type { ReactNode } from "react";
import { Icon } from "../text/icon.tsx";

type DisclosureProps = { title: ReactNode; children: ReactNode };

/** A part that is folded until its title is clicked. It works without JavaScript. */
export function Disclosure({ title, children }: DisclosureProps) {
  return (
    <details className="group text-sm">
      <summary className="flex min-h-control w-fit list-none items-center gap-1 text-accent-ink [&::-webkit-details-marker]:hidden">
        <Icon name="chevron-down" className="size-4 group-open:rotate-180" />
        {title}
      </summary>
      {children}
    </details>
  );
}
