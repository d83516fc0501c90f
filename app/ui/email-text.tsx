import { withBreaks } from "./with-breaks.tsx";

type EmailTextProps = { children: string; className?: string };

/**
 * An e-mail, from left to right in each language. It wraps after "@" and ".", and elsewhere only when one part is wider
 * than the line.
 */
export function EmailText({ children, className = "" }: EmailTextProps) {
  return (
    <bdi dir="ltr" className={`wrap-break-word! ${className}`}>
      {withBreaks(children, "@.")}
    </bdi>
  );
}
