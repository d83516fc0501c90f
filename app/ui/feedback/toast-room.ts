import { FOCUSABLE } from "../layout/keep-focus.ts";

const MARGIN_PX = 8;
/** Distance between the positions that are tried in a scrolled page. */
const STEP_PX = 8;
/** The CSS variable of the room above a page's content. */
const ROOM = "--toast-room";

/** Returns where toasts begin: below the page's banner and header. */
export function topOfToasts(): number {
  const above = document.querySelectorAll("header:not(main *), .impersonation");
  const ends = [...above].map((element) => element.getBoundingClientRect().bottom);
  return Math.max(0, ...ends) + MARGIN_PX;
}

/** Removes the room when the screen changes, so that nothing moves under the pointer. */
export function clearRoom(): void {
  document.documentElement.style.removeProperty(ROOM);
}

/**
 * Keeps toasts off controls and the title, when they are drawn and when a font makes them higher.
 * The content moves down below them. In a scrolled page they move to a place without controls
 * instead.
 */
export function makeRoom(gap: number, setTop: (top: number) => void): void {
  requestAnimationFrame(function wait() {
    const toasts = [...document.querySelectorAll<HTMLElement>("[data-sonner-toast]")];
    if (!toasts[0]?.offsetHeight) {
      requestAnimationFrame(wait);
      return;
    }
    const sizes = new ResizeObserver(() => place(toasts, gap, setTop));
    for (const toast of toasts) sizes.observe(toast);
  });
}

function place(toasts: HTMLElement[], gap: number, setTop: (top: number) => void): void {
  const list = toasts.find((toast) => toast.isConnected)?.getBoundingClientRect();
  if (!list) return;
  // Their height when the pointer spreads them, and the margin below.
  const heights = toasts.map((toast) => toast.offsetHeight + gap);
  const height = heights.reduce((sum, one) => sum + one, MARGIN_PX - gap);
  const top = topOfToasts();
  const { left, right } = list;
  if (isFree({ left, right, top, bottom: top + height })) return;
  if (scrollY === 0) {
    document.documentElement.style.setProperty(ROOM, `${height + MARGIN_PX}px`);
    return;
  }
  for (let lower = top; lower + height < innerHeight; lower += STEP_PX) {
    if (!isFree({ left, right, top: lower, bottom: lower + height })) continue;
    setTop(lower);
    return;
  }
}

type Box = Pick<DOMRect, "left" | "right" | "top" | "bottom">;

/** True when a box of the window has no control and no title. */
function isFree(box: Box): boolean {
  return ![...document.querySelectorAll(`main :is(${FOCUSABLE}, label, h1)`)].some((control) => {
    const { left, right, top, bottom, width } = control.getBoundingClientRect();
    const isBeside = right <= box.left || left >= box.right;
    return width > 0 && !isBeside && bottom > box.top && top < box.bottom;
  });
}
