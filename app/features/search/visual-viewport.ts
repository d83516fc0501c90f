/**
 * Ref callback that keeps `--viewport-top` and `--viewport-height` of an element equal to the visible part of the page,
 * so that an on-screen keyboard covers nothing. Returns a function that stops it.
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
