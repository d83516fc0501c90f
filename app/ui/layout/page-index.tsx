import type { ReactNode } from "react";

type PageIndexProps = {
  label: string;
  /** `id` is the id of the part. */
  parts: readonly { id: string; name: ReactNode }[];
  className?: string;
};

/** Links to the parts of a long page, in lines that wrap. */
export function PageIndex({ label, parts, className = "" }: PageIndexProps) {
  return (
    <nav aria-label={label}>
      <ul className={`flex flex-wrap gap-x-4 text-sm ${className}`}>
        {parts.map(({ id, name }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="flex min-h-8 items-center text-accent-ink underline-offset-4 -outline-offset-2 hover:underline"
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
