import { useEffect, useRef } from "react";
import { Link } from "react-router";
import "./part-links.css";

type PartLinksProps = {
  label: string;
  /** `lang` is the language of a label that is not the page's. */
  parts: readonly { to: string; label: string; lang?: string; isCurrent: boolean }[];
  /** True where all parts are one screen, such as its tabs: the page then stays where it was scrolled to. */
  isOneScreen?: boolean;
};

/** A line of links that scrolls. On a phone its ends show that more may follow. */
export const lineClass = "part-line -mx-4 overflow-x-auto px-4";

/** Links to the parts of something, in one line that scrolls where it is wider than the window. */
export function PartLinks({ label, parts, isOneScreen = false }: PartLinksProps) {
  const nav = useRef<HTMLElement>(null);
  const current = parts.find(({ isCurrent }) => isCurrent)?.to;

  // Outside React: how far the line is scrolled. Not `scrollIntoView`, which would scroll the page too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another part is current
  useEffect(() => {
    const line = nav.current?.getBoundingClientRect();
    const link = nav.current?.querySelector('[aria-current="page"]')?.getBoundingClientRect();
    if (line && link) nav.current?.scrollBy({ left: centreOf(link) - centreOf(line) });
  }, [current]);

  return (
    <nav ref={nav} aria-label={label} className={`${lineClass} md:mx-0 md:px-0`}>
      <ul className="flex w-max min-w-full gap-1 border-b border-line">
        {parts.map(({ to, label: text, lang, isCurrent }) => (
          <li key={to}>
            <Link
              to={to}
              lang={lang}
              aria-current={isCurrent ? "page" : undefined}
              preventScrollReset={isOneScreen}
              className="-mb-px inline-flex min-h-control items-center border-b-2 border-transparent px-3 text-sm font-medium whitespace-nowrap text-muted -outline-offset-2 transition-colors duration-150 hover:text-ink aria-[current]:border-accent aria-[current]:text-ink"
            >
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function centreOf({ left, width }: DOMRect): number {
  return left + width / 2;
}
