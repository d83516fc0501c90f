import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";

let openDrawer: HTMLElement | null = null;
const listeners = new Set<() => void>();

/** Sets the open modal drawer, null after it closes, and returns the one before. */
export function setOpenDrawer(drawer: HTMLElement | null): HTMLElement | null {
  const before = openDrawer;
  openDrawer = drawer;
  for (const notify of listeners) notify();
  return before;
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}

type TopLayerProps = {
  /** The content moves to the top again whenever this changes. */
  raisedBy: unknown;
  children: ReactNode;
};

/**
 * Draws its content over everything else, including drawers and their backdrops. A modal drawer makes the rest of the
 * page inert, so the content moves into the drawer while it is open.
 */
export function TopLayer({ raisedBy, children }: TopLayerProps) {
  const drawer = useSyncExternalStore(
    subscribe,
    () => openDrawer,
    () => null,
  );
  const [host] = useState(createHost);

  // Outside React: the element is moved instead of rendered again, so that its content keeps its state.
  useEffect(() => {
    (drawer ?? document.body).appendChild(host);
    return () => {
      host.remove();
    };
  }, [drawer, host]);

  // Outside React: the browser's top layer, where the last shown element covers the others.
  // biome-ignore lint/correctness/useExhaustiveDependencies: raised by every change of these
  useEffect(() => {
    if (host.contains(document.activeElement)) return;
    if (host.matches(":popover-open")) host.hidePopover();
    host.showPopover();
  }, [raisedBy, drawer, host]);

  return createPortal(children, host);
}

function createHost(): HTMLElement {
  const host = document.createElement("div");
  host.popover = "manual";
  host.className = "fixed inset-auto m-0 size-0 overflow-visible border-0 bg-transparent p-0";
  return host;
}
