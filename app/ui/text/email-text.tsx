import { withBreaks } from "./with-breaks.tsx";
import { WithWholeValue } from "./with-whole-value.tsx";

type EmailTextProps = {
  children: string;
  className?: string;
  /** True where the line is cut at its end instead of wrapped. */
  isOneLine?: boolean;
};

/**
 * An e-mail, from left to right in each language. It wraps after "@" and ".", and elsewhere only when one part is wider
 * than the line. Where it is a block, its lines begin at the side where those of the page begin.
 */
export function EmailText({ children, className = "", isOneLine }: EmailTextProps) {
  return isOneLine ? (
    <bdi dir="ltr" className={className}>
      {children}
    </bdi>
  ) : (
    <bdi dir="ltr" className={`wrap-break-word! text-balance rtl:text-end ${className}`}>
      {withBreaks(children, "@.")}
    </bdi>
  );
}

type EmailSentenceProps = {
  text: (email: string) => string;
  email: string;
};

/** A sentence about an e-mail, which stands out and breaks only where a line is too short for it. */
export function EmailSentence({ text, email }: EmailSentenceProps) {
  return (
    <p className="min-w-0 text-muted">
      <WithWholeValue text={text}>
        <EmailText className="font-medium text-ink">{email}</EmailText>
      </WithWholeValue>
    </p>
  );
}
