import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";

type RecordJsonProps = {
  record: object;
  /** Links beside "Copy". */
  children?: ReactNode;
};

/** A whole record as JSON, with a button that copies it. */
export function RecordJson({ record, children }: RecordJsonProps) {
  const text = JSON.stringify(record, undefined, 2);
  return (
    <div className="grid gap-3 py-2">
      <pre
        dir="ltr"
        translate="no"
        className="rounded-md border border-line bg-panel p-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap"
      >
        {text}
      </pre>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} />
        {children}
      </div>
    </div>
  );
}
