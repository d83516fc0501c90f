import { Fragment, type ReactNode } from "react";

/** Returns a text that may wrap after the given signs. */
export function withBreaks(text: string, signs: "@." | "/." | "_"): ReactNode {
  const parts = text.match(new RegExp(`[^${signs}]*[${signs}]*`, "g")) ?? [];
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their places
    <Fragment key={index}>
      {index > 0 && part !== "" && <wbr />}
      {part}
    </Fragment>
  ));
}
