import type { ReactNode } from "react";

type SingleColumnProps = {
  /** True for a few short lines, such as the entry of a code. */
  isNarrow?: boolean;
  children: ReactNode;
};

/** A screen of one column, such as a form. A wide window has it in its middle. */
export function SingleColumn({ isNarrow, children }: SingleColumnProps) {
  return (
    <div className={`mx-auto grid w-full gap-6 ${isNarrow ? "max-w-md" : "max-w-3xl"}`}>
      {children}
    </div>
  );
}
