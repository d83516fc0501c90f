/**
 * Keeps `--viewport-top` and `--viewport-height` of an element at what can be seen of the page, so that what is laid out
 * by them is not behind an on-screen keyboard. A ref: answers how to stop.
 */
export function followVisualViewport(element: HTMLElement | null): (() => void) | undefined {
  const viewport = window.visualViewport;
  if (!element || !viewport) return undefined;
  function follow() {
    if (!element || !viewport) return;
    element.style.setProperty("--viewport-top", `${viewport.offsetTop}px`);
    element.style.setProperty("--viewport-height", `${viewport.height}px`);
  }
  follow();
  viewport.addEventListener("resize", follow);
  viewport.addEventListener("scroll", follow);
  return () => {
    viewport.removeEventListener("resize", follow);
    viewport.removeEventListener("scroll", follow);
  };
}
