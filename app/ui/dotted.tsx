import { Children, type ReactNode } from "react";

/** Short texts in one line, with a dot after each but the last. Parts that are null or false are left out. */
export function Dotted({ children }: { children: ReactNode }) {
  const parts = Children.toArray(children);
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line never change their places
    <span key={index}>
      {/* A line ends between two parts, and never begins with a dot. */}
      <span className="inline-block max-w-full">
        {part}
        {index < parts.length - 1 && "\u00a0·"}
      </span>{" "}
    </span>
  ));
}
