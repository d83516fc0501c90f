import { type ReactNode, useId } from "react";

type MarkedButtonProps = {
  /** A word about the button, on its upper edge; undefined leaves it without. */
  mark: string | undefined;
  /** Draws the button, which the mark describes. */
  children: (describedBy: string | undefined) => ReactNode;
};

/** A button with a word about it, which is no part of its name. */
export function MarkedButton({ mark, children }: MarkedButtonProps) {
  const id = useId();
  if (!mark) return children(undefined);
  return (
    <div className="relative grid">
      {children(id)}
      <span
        id={id}
        className="pointer-events-none absolute end-3 top-0 -translate-y-1/2 rounded-full border border-accent-line bg-accent-fill px-2 text-xs font-medium text-accent-ink"
      >
        {mark}
      </span>
    </div>
  );
}
