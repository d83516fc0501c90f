import { computeAccessibleName, getRole } from "dom-accessibility-api";

// Runs inside the pages of browsers whose driver cannot look for roles and labels. `driven-page.ts`
// makes one script of it.

/** A text that is contained in another one without regard to case, or a pattern. */
export type Wanted = string | { pattern: string };

/** What an element must be; each step looks inside what the step before it has found. */
export type Step = { role?: string; name?: Wanted; label?: Wanted; text?: Wanted; exact?: boolean };

/** Returns the visible elements that a chain of steps finds. */
export function findAll(steps: Step[]): Element[] {
  let found: Element[] = [document.documentElement];
  for (const step of steps) {
    // A text may be the element's own.
    const inside = found.flatMap((element) => [
      ...(step.text ? [element] : []),
      ...element.querySelectorAll("*"),
    ]);
    found = [...new Set(inside)].filter((element) => isWanted(element, step));
    // A text is also in every element around it.
    if (step.text) found = found.filter((one) => !found.some((other) => isInside(other, one)));
  }
  return found;
}

/**
 * Returns the one element that the steps find, in view, enabled and at rest, for a click or a key.
 * Throws when there is no such element, and when there are several.
 */
export async function findOne(steps: Step[], isFile: boolean): Promise<Element> {
  const [element, ...others] = findAll(steps);
  if (!element || others.length > 0) {
    throw new Error(`${element ? others.length + 1 : 0} elements for ${JSON.stringify(steps)}`);
  }
  // A field for files may be as small as a pixel.
  if (isFile) return element;
  if (element.matches(":disabled")) throw new Error(`${JSON.stringify(steps)} is disabled`);
  element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  const before = boxOf(element);
  await nextFrame();
  await nextFrame();
  if (boxOf(element) !== before || isPageChanging()) {
    throw new Error(`${JSON.stringify(steps)} moves`);
  }
  return element;
}

/** True while a view transition shows pictures of two pages: a click would meet these, and nothing of the page. */
function isPageChanging(): boolean {
  return document.getAnimations().some(({ effect }) => {
    const of = effect instanceof KeyframeEffect ? effect.pseudoElement : null;
    return of?.startsWith("::view-transition");
  });
}

function boxOf(element: Element): string {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x, y, width, height].join();
}

function nextFrame(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}

function isWanted(element: Element, { role, name, label, text, exact = false }: Step): boolean {
  if (role !== undefined && getRole(element) !== role) return false;
  if (label !== undefined && !element.matches("input, select, textarea, [role]")) return false;
  if (text !== undefined && !isLike(element.textContent, text, exact)) return false;
  if (!isShown(element)) return false;
  const wanted = name ?? label;
  return wanted === undefined || isLike(computeAccessibleName(element), wanted, exact);
}

function isShown(element: Element): boolean {
  const isVisible = element.checkVisibility({ visibilityProperty: true });
  return isVisible && !element.closest('[aria-hidden="true"]');
}

function isLike(text: string, wanted: Wanted, exact: boolean): boolean {
  const own = text.replace(/\s+/g, " ").trim();
  if (typeof wanted !== "string") return new RegExp(wanted.pattern).test(own);
  return exact ? own === wanted : own.toLowerCase().includes(wanted.toLowerCase());
}

function isInside(element: Element, other: Element): boolean {
  return element !== other && other.contains(element);
}
