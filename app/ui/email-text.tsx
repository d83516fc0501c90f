import { Fragment } from "react";

type EmailTextProps = { children: string; className?: string };

/**
 * An e-mail, from left to right in each language. It wraps after "@" and ".", and elsewhere only when one part is wider
 * than the line.
 */
export function EmailText({ children, className = "" }: EmailTextProps) {
  const parts = [...children.matchAll(/[^@.]*[@.]?/g)];
  return (
    <bdi dir="ltr" className={`wrap-break-word! ${className}`}>
      {parts.map(({ index, 0: part }) => (
        <Fragment key={index}>
          {index > 0 && part !== "" && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  );
}
