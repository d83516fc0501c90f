/** Names of files and of settings. */
const NAME = /(wrangler\.toml|docs\/operations\.md|[A-Z0-9]+(?:_[A-Z0-9]+)+)/;

/** A sentence with the names of files and settings as code, which reads from left to right in each language. */
export function WithNames({ children }: { children: string }) {
  return children.split(NAME).map((part, index) =>
    NAME.test(part) ? (
      <code
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their places
        key={index}
        dir="ltr"
        translate="no"
        className="rounded-md bg-fill px-0.5 font-mono text-xs"
      >
        {part}
      </code>
    ) : (
      part
    ),
  );
}
