import type { ReactNode } from "react";
import { Link } from "react-router";
import { useFormat } from "../../ui/use-format.ts";

type CardProps = {
  label: string;
  value: number;
  /** Path of the list that shows the counted items. */
  to: string;
  /** Further figures below the first. */
  children: ReactNode;
};

/** A figure of the dashboard, with a link to the list that shows what it counts. */
export function Card({ label, value, to, children }: CardProps) {
  const format = useFormat();
  return (
    <div className="relative grid content-start rounded-md border border-line bg-panel p-4 shadow-low transition-colors duration-150 has-[dt_a:hover]:border-line-strong">
      <dt className="text-sm text-muted">
        <Link to={to} className="after:absolute after:inset-0 after:rounded-md">
          {label}
        </Link>
      </dt>
      <dd className="mt-1 text-2xl font-semibold" suppressHydrationWarning>
        {format.number(value)}
      </dd>
      <dd className="mt-1 flex flex-wrap items-center gap-x-3 text-sm text-muted">{children}</dd>
    </div>
  );
}

/** A further figure of a card, with a link to its own list. */
export function CardNote({ to, children }: { to: string; children: string }) {
  return (
    <Link
      to={to}
      className="relative py-0.5 underline-offset-4 hover:text-ink hover:underline"
      suppressHydrationWarning
    >
      {children}
    </Link>
  );
}
