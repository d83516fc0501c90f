import type { ReactNode } from "react";

type PageLinksProps = {
  /** `id` is the id of the part; `className` belongs to the link's item. */
  parts: readonly { id: string; name: ReactNode; className?: string }[];
  className?: string;
};

/** Links to the parts of a long page, in lines that wrap. */
export function PageIndex({ label, ...links }: PageLinksProps & { label: string }) {
  return (
    <nav aria-label={label}>
      <PageLinks {...links} />
    </nav>
  );
}

/** The links of an index that has several lists. */
export function PageLinks({ parts, className = "" }: PageLinksProps) {
  return (
    <ul className={`flex flex-wrap gap-x-4 text-sm ${className}`}>
      {parts.map(({ id, name, className: itemClass }) => (
        <li key={id} className={itemClass}>
          <a
            href={`#${id}`}
            className="flex min-h-8 items-center text-accent-ink underline-offset-4 -outline-offset-2 hover:underline"
          >
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}
