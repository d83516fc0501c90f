import { useEffect, useRef } from "react";
import { Link } from "react-router";
import "./part-links.css";

type PartLinksProps = {
  label: string;
  /** `lang` is the language of a label that is not the page's. */
  parts: readonly {
    to: string;
    label: string;
    lang?: string;
    isCurrent: boolean;
    /** What a dot beside the label says to screen readers; false for no dot. */
    mark?: string | false;
  }[];
  /** True where all parts are one screen, such as its tabs: the page then stays where it was scrolled to. */
  isOneScreen?: boolean;
};

/** A line of links that scrolls. On a phone its ends show that more may follow. */
export const lineClass = "part-line -mx-4 overflow-x-auto px-4";

/** Links to the parts of something, in one line that scrolls where it is wider than the window. */
export function PartLinks({ label, parts, isOneScreen = false }: PartLinksProps) {
  const nav = useRef<HTMLElement>(null);
  const current = parts.find(({ isCurrent }) => isCurrent)?.to;

  // Outside React: how far the line is scrolled.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another part is current
  useEffect(() => scrollLineTo(nav.current, '[aria-current="page"]'), [current]);

  return (
    <nav ref={nav} aria-label={label} className={`${lineClass} md:mx-0 md:px-0`}>
      <ul className="flex w-max min-w-full gap-1 border-b border-line">
        {parts.map(({ to, label: text, lang, isCurrent, mark }) => (
          <li key={to}>
            <Link
              to={to}
              lang={lang}
              aria-current={isCurrent ? "page" : undefined}
              preventScrollReset={isOneScreen}
              className="-mb-px inline-flex min-h-control items-center border-b-2 border-transparent px-3 text-sm font-medium whitespace-nowrap text-muted -outline-offset-2 transition-colors duration-150 hover:text-ink aria-[current]:border-accent aria-[current]:text-ink"
            >
              {text}
              {mark && (
                <>
                  <span aria-hidden="true" className="ms-2 size-2 rounded-full bg-accent" />
                  <span className="sr-only">{mark}</span>
                </>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Scrolls a line of links to one of them. Not `scrollIntoView`, which would scroll the page too. */
export function scrollLineTo(line: HTMLElement | null, selector: string): void {
  const link = line?.querySelector(selector);
  if (!line || !link) return;
  const left = centreOf(link.getBoundingClientRect()) - centreOf(line.getBoundingClientRect());
  line.scrollBy({ left });
}

function centreOf({ left, width }: DOMRect): number {
  return left + width / 2;
}
