type QuotedProps = { title: string; text: string };

/** A program's text, such as a body or headers. */
export function Quoted({ title, text }: QuotedProps) {
  return (
    <div className="grid min-w-0 gap-1">
      <h3 className="text-sm text-muted">{title}</h3>
      <pre
        dir="ltr"
        lang="en"
        translate="no"
        className="rounded-md border border-line bg-sunken p-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap"
      >
        {text}
      </pre>
    </div>
  );
}

/** Returns JSON with a line for each member. */
export function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), undefined, 2);
}
