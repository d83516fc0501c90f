import { CopyButton } from "../forms/copy-button.tsx";

/** Code as it is sent or answered, and a button that copies it. */
export function CodeBlock({ text, copy }: { text: string; copy?: string }) {
  return (
    <div className="grid min-w-0 justify-items-start gap-2">
      <pre
        dir="ltr"
        lang="en"
        translate="no"
        className="w-full rounded-md border border-line bg-sunken p-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap"
      >
        <code>{text}</code>
      </pre>
      {copy !== undefined && <CopyButton text={text} label={copy} />}
    </div>
  );
}
