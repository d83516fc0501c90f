import { type KeyboardEvent, useEffect, useRef } from "react";

/**
 * Makes a group of controls one stop of the Tab key; the arrow keys, Home and End move inside (the toolbar pattern of
 * the ARIA Authoring Practices). Without JavaScript each control is a stop of its own. Spread the result on the group.
 */
export function useRovingFocus<Element extends HTMLElement>() {
  const ref = useRef<Element>(null);

  // Outside React: the Tab order, set after each render because the controls of the group change.
  useEffect(() => {
    const controls = controlsOf(ref.current);
    const stops = controls.filter(({ tabIndex }) => tabIndex === 0);
    const current =
      controls.find((control) => control === document.activeElement) ??
      controls.find((control) => control.ariaCurrent === "page") ??
      controls[0];
    makeOnlyStop(controls, stops.length === 1 ? stops[0] : current);
  });

  function onKeyDown(event: KeyboardEvent<Element>) {
    const { target, currentTarget } = event;
    if (!(target instanceof HTMLElement)) return;
    const controls = controlsOf(currentTarget);
    const from = controls.indexOf(target);
    const to = controls.at(indexAfter(event, from, controls.length));
    if (from < 0 || !to || to === target) return;
    event.preventDefault();
    makeOnlyStop(controls, to);
    to.focus();
  }

  return { ref, onKeyDown };
}

/** Returns the index of the control that a key leads to; the same index for any other key. */
function indexAfter(event: KeyboardEvent<HTMLElement>, from: number, count: number): number {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return from;
  const isRtl = getComputedStyle(event.currentTarget).direction === "rtl";
  const [next, previous] = isRtl ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"];
  switch (event.key) {
    case "ArrowDown":
    case next:
      return (from + 1) % count;
    case "ArrowUp":
    case previous:
      return from - 1;
    case "Home":
      return 0;
    case "End":
      return -1;
    default:
      return from;
  }
}

/** Returns the visible controls of a group, without those of the menus inside it. */
function controlsOf(group: HTMLElement | null): HTMLElement[] {
  if (!group) return [];
  const layer = group.closest("[popover]");
  return [...group.querySelectorAll<HTMLElement>("a[href], button, summary")].filter(
    (control) => control.closest("[popover]") === layer && control.checkVisibility(),
  );
}

function makeOnlyStop(controls: HTMLElement[], only: HTMLElement | undefined): void {
  for (const control of controls) control.tabIndex = control === only ? 0 : -1;
}
