import type { Locator, Page } from "@playwright/test";

/** Returns the middle of an element, in pixels from the top of the window. */
export async function middleOf(element: Locator): Promise<number> {
  const box = await element.boundingBox();
  if (!box) throw new Error("the element has no box");
  return box.y + box.height / 2;
}

/**
 * Returns the layout shifts of the open page, one a line: from the time when its HTML was there, so by hydration or by
 * what loads later, until the first input.
 */
export function shiftsOf(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const shifts = await entriesOf<LayoutShift>("layout-shift");
    const inputs = await entriesOf("first-input");
    const end = Math.min(...inputs.map(({ startTime }) => startTime));
    const [navigation] = performance.getEntriesByType("navigation");
    const start = (navigation as PerformanceNavigationTiming | undefined)?.domInteractive ?? 0;
    const isOwn = ({ startTime }: PerformanceEntry) => startTime >= start && startTime < end;
    return shifts.filter(isOwn).flatMap(({ sources }) =>
      sources
        // Vertical shifts only: while a slow browser parses the page, the header's buttons still move sideways.
        .filter(({ previousRect, currentRect }) => previousRect.top !== currentRect.top)
        .map(({ node, previousRect, currentRect }) => {
          const name = node instanceof Element ? node.outerHTML.slice(0, 120) : node?.textContent;
          return `${name} from ${previousRect.top} to ${currentRect.top}`;
        }),
    );

    /** Reads what the browser has kept. It delivers it in a task of its own, which the second frame follows. */
    async function entriesOf<Entry extends PerformanceEntry>(type: string): Promise<Entry[]> {
      const entries: PerformanceEntry[] = [];
      const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
      observer.observe({ type, buffered: true });
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      observer.disconnect();
      return entries as Entry[];
    }
  });
}

/**
 * Returns the texts of the product that are cut, because their box is too narrow. Text in `<bdi>`
 * is a user's or a row's: it may be cut where the whole is one click away.
 */
export function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isCut = ({ scrollWidth, clientWidth }: Element) => scrollWidth > clientWidth + 1;
    const isOwn = (element: Element) =>
      [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
    return (
      [...document.querySelectorAll<HTMLElement>("body *")]
        .filter((element) => element.checkVisibility() && isOwn(element) && isCut(element))
        .filter((element) => !element.closest("bdi, tbody, pre, [title]"))
        .filter((element) => ["hidden", "clip"].includes(getComputedStyle(element).overflowX))
        // Texts for screen readers only are one pixel wide.
        .filter(({ clientWidth }) => clientWidth > 1)
        .map(({ outerHTML }) => outerHTML.slice(0, 200))
    );
  });
}

/** A layout shift entry; TypeScript's DOM types lack it. */
type LayoutShift = PerformanceEntry & {
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
};
