import type { ReactNode } from "react";
import { aroundValues } from "./around-values.ts";

type WithWholeValueProps = {
  text: (value: string) => string;
  children: ReactNode;
};

/** A sentence about a value, such as an e-mail, which breaks only where a line is too short for it. */
export function WithWholeValue({ text, children }: WithWholeValueProps) {
  const [before, after = ""] = aroundValues(text);
  // A full stop stays beside the value: it would begin a line where the value fills one.
  const [sign = ""] = after.match(/^\p{Punctuation}/u) ?? [];
  return (
    <>
      {before}
      <span className="inline-block max-w-full">
        {children}
        {sign}
      </span>
      {after.slice(sign.length)}
    </>
  );
}
