import { Children, type ReactNode } from "react";

type DottedProps = {
  /** True where a part is a sentence: it breaks as any text does, and the next part follows on its last line. */
  hasSentence?: boolean;
  children: ReactNode;
};

/** Short texts with dots between them. Parts that are null or false are left out. */
export function Dotted({ hasSentence, children }: DottedProps) {
  const parts = Children.toArray(children);
  if (hasSentence) {
    return parts.map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line never change their places
      <span key={index}>
        {part}
        {index < parts.length - 1 && "\u00a0·"}{" "}
      </span>
    ));
  }
  return (
    // A part moves to the next line whole. The dot before it would begin that line, and is cut off there.
    <span className="block overflow-x-clip">
      <span className="-ms-4 flex flex-wrap">
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line never change their places
          <span key={index} className="relative max-w-full min-w-0 ps-4">
            {index > 0 && <span className="absolute start-0 w-4 text-center">{" · "}</span>}
            {part}
          </span>
        ))}
      </span>
    </span>
  );
}
