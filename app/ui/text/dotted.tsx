import { Children, type ReactNode } from "react";

type DottedProps = {
  /** True where a part is a sentence: it breaks as any text does, and the next part follows on its last line. */
  hasSentence?: boolean;
  children: ReactNode;
};

/** Short texts, with a dot after each but the last. Parts that are null or false are left out. */
export function Dotted({ hasSentence, children }: DottedProps) {
  const parts = Children.toArray(children);
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line never change their places
    <span key={index}>
      {/* The dot stays with the part before it. Without `hasSentence` a part moves to the next line whole. */}
      <span className={hasSentence ? undefined : "inline-block max-w-full"}>
        {part}
        {index < parts.length - 1 && "\u00a0·"}
      </span>{" "}
    </span>
  ));
}
