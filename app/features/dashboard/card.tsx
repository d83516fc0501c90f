import type { ReactNode } from "react";
import { useFormat } from "../../ui/text/use-format.ts";
import type { Permission } from "../access/permissions.ts";
import { PermittedLink } from "../access/use-can.tsx";

type CardProps = {
  label: string;
  value: number;
  /** Path of the list that shows the counted items, and the permission to open it. */
  to: string;
  permission: Permission;
  /** Further figures below the first. */
  children?: ReactNode;
};

/** A figure of the dashboard, with a link to the list that shows what it counts. */
export function Card({ label, value, to, permission, children }: CardProps) {
  const format = useFormat();
  return (
    <div className="relative grid content-start rounded-md border border-line bg-panel p-4 shadow-low sm:px-6 transition-colors duration-150 has-[dt_a:hover]:border-line-strong">
      <dt className="text-sm text-muted">
        <PermittedLink
          permission={permission}
          to={to}
          className="after:absolute after:inset-0 after:rounded-md"
        >
          {label}
        </PermittedLink>
      </dt>
      <dd className="mt-1 text-2xl font-semibold" suppressHydrationWarning>
        {format.number(value)}
      </dd>
      <dd className="mt-1 flex flex-wrap items-center gap-x-3 overflow-x-clip text-sm text-muted">
        {children}
      </dd>
    </div>
  );
}

type CardNoteProps = { to: string; permission: Permission; children: string };

/** A further figure of a card, with a link to its own list. A dot parts it from the one before it on its line. */
export function CardNote({ to, permission, children }: CardNoteProps) {
  return (
    <PermittedLink
      permission={permission}
      to={to}
      className="relative py-0.5 underline-offset-4 not-first:before:absolute not-first:before:-start-2 not-first:before:content-['·'] hover:text-ink hover:underline"
      suppressHydrationWarning
    >
      {children}
    </PermittedLink>
  );
}
