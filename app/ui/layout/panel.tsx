import type { ReactNode } from "react";
import { Link, type LinkProps } from "react-router";
import { Icon } from "../text/icon.tsx";

type PanelProps = {
  id?: string | undefined;
  title: string;
  intro?: ReactNode;
  /** Beside the title: an action on the part as a whole. */
  action?: ReactNode;
  /** True where the content is narrow, such as fields: title and sentence stand beside it on a wide screen. */
  isBeside?: boolean;
  children?: ReactNode;
};

/** The frame of a part of a screen, for a part that is a form or has no title of its own. */
export const panelClass = "rounded-md border border-line bg-panel p-4 shadow-low sm:p-6";

/** The frame of rows that are read, not searched: each its own line. */
export const rowsClass =
  "grid divide-y divide-line overflow-hidden rounded-md border border-line bg-panel shadow-low";

/** A titled part of a screen. */
export function Panel({ id, title, intro, action, isBeside, children }: PanelProps) {
  const head = (
    <div
      className={`flex flex-wrap items-center justify-between gap-2 sm:gap-x-4 ${action ? "max-sm:gap-y-3" : ""}`}
    >
      <h2 className="text-base font-semibold">{title}</h2>
      {/* It adds no height, so that neighbouring panels have their titles on one line. */}
      {action && <div className="sm:-my-1.5">{action}</div>}
      {intro && <p className="basis-full text-sm text-muted">{intro}</p>}
    </div>
  );
  if (!isBeside) {
    return (
      <section id={id} className={`grid min-w-0 content-start gap-4 ${panelClass}`}>
        {head}
        {children}
      </section>
    );
  }
  return (
    <section
      id={id}
      className={`grid min-w-0 items-start gap-x-12 gap-y-4 lg:grid-cols-[minmax(0,17rem)_minmax(0,36rem)] ${panelClass}`}
    >
      {head}
      <div className="grid min-w-0 gap-4">{children}</div>
    </section>
  );
}

type FoldedPanelProps = Pick<PanelProps, "title" | "intro" | "children"> & {
  isOpen?: boolean;
};

/** A part of a screen that few readers need: folded until its title is pressed. It works without JavaScript. */
export function FoldedPanel({ title, intro, isOpen, children }: FoldedPanelProps) {
  return (
    <details open={isOpen} className={`group min-w-0 ${panelClass}`}>
      <summary className="flex cursor-pointer list-none items-start gap-4 rounded-md [&::-webkit-details-marker]:hidden">
        <span className="grid min-w-0 grow gap-1">
          <h2 className="text-base font-semibold">{title}</h2>
          {intro && <span className="text-sm text-muted">{intro}</span>}
        </span>
        <Icon
          name="chevron-down"
          className="mt-0.5 size-5 shrink-0 text-muted group-open:rotate-180"
        />
      </summary>
      <div className="mt-4 grid min-w-0 gap-4">{children}</div>
    </details>
  );
}

/**
 * A link in a panel's head or body, such as to the whole list. On a phone, negative margins keep its 44 px from making
 * the line higher.
 */
export function PanelLink(props: Pick<LinkProps, "to" | "children">) {
  return (
    <Link
      className="inline-flex min-h-control items-center text-sm text-accent-ink underline-offset-4 hover:underline max-sm:-my-3"
      {...props}
    />
  );
}
