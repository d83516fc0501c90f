/** A link's address as text, without its scheme. It reads from left to right, and begins where its line begins. */
export function ShortLink({ link, className = "" }: { link: string; className?: string }) {
  return (
    <span className={`flex min-w-0 ${className}`}>
      <bdi dir="ltr" className="truncate text-muted">
        {withoutScheme(link)}
      </bdi>
    </span>
  );
}

/** Returns a link as people write it: without its scheme and the slash at its end. */
export function withoutScheme(link: string): string {
  return link.replace(/^https?:\/\//, "").replace(/\/$/, "");
}
