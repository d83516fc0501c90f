/** A link's address as text, without its scheme. */
export function ShortLink({ link, className = "" }: { link: string; className?: string }) {
  return (
    <bdi dir="ltr" className={`truncate text-muted ${className}`}>
      {link.replace(/^https?:\/\//, "").replace(/\/$/, "")}
    </bdi>
  );
}
