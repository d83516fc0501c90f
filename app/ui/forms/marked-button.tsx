import { type ReactNode, useId } from "react";

type MarkedButtonProps = {
  /** A word about the button, above its end; undefined leaves it without. */
  mark: string | undefined;
  /** Draws the button, which the mark describes. */
  children: (describedBy: string | undefined) => ReactNode;
};

/** A button with a word about it, which is no part of its name. */
export function MarkedButton({ mark, children }: MarkedButtonProps) {
  const id = useId();
  if (!mark) return children(undefined);
  return (
    // The mark has its own line above the button, because Arabic letters are high.
    <div className="flex flex-col-reverse">
      {children(id)}
      <span
        id={id}
        className="pointer-events-none relative me-3 self-end rounded-full border border-accent-line bg-accent-fill px-2 text-xs font-medium text-accent-ink"
      >
        {mark}
      </span>
    </div>
  );
}
