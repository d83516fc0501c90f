import { aroundValue } from "./around-value.ts";
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

type EmailSentenceProps = {
  /** Returns the sentence with the e-mail. */
  text: (email: string) => string;
  email: string;
};

/** A sentence about an e-mail, which stands out and breaks only where a line is too short for it. */
export function EmailSentence({ text, email }: EmailSentenceProps) {
  const [before, after] = aroundValue(text);
  // A full stop stays beside the e-mail: it would begin a line where the e-mail fills one.
  const [sign = ""] = after.match(/^\p{Punctuation}/u) ?? [];
  return (
    <p className="min-w-0 text-muted">
      {before}
      <span className="inline-block max-w-full">
        <EmailText className="font-medium text-ink">{email}</EmailText>
        {sign}
      </span>
      {after.slice(sign.length)}
    </p>
  );
}
