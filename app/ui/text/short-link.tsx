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

/** Returns a link as people write it: without its scheme and the slash at its end, letters as letters. */
export function withoutScheme(link: string): string {
  return readable(link.replace(/^https?:\/\//, "").replace(/\/$/, ""));
}

/** Decodes letters of any script. Everything else stays as it is, because it could hide where the link leads. */
function readable(link: string): string {
  try {
    return link.replace(/(%[89a-f][0-9a-f])+/gi, (bytes) => {
      const text = decodeURIComponent(bytes);
      return /^[\p{Letter}\p{Mark}\p{Number}]+$/u.test(text) ? text : bytes;
    });
  } catch {
    return link;
  }
}
