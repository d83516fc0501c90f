/** Elements that the keyboard reaches. */
export const FOCUSABLE =
  ':is(a[href], button, input:not([type="hidden"]), select, textarea, summary, [tabindex="0"]):not(:disabled)';

/** Dialogs and menus over the page. */
const MODAL = 'dialog:modal, [aria-modal="true"]:popover-open';

/** An element that had the focus, and the elements that may get it next. */
type Place = {
  element: HTMLElement;
  path: string;
  /** The rows after and before the element's own. */
  rows: (Element | null | undefined)[];
  /** The element that had the focus before the dialog or menu opened. */
  opener: Place | undefined;
};

let last: Place | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Keeps the focus in a useful place. An opened dialog or menu gets it, and its opener gets it back.
 * When the focused element disappears, the focus moves to the next row, to the opener, to the first
 * wrong field, or to the title of the screen, and never to the start of the document. Returns a
 * function that ends this.
 */
export function keepFocus(): () => void {
  const listening = new AbortController();
  const options = { capture: true, signal: listening.signal };
  remember(document.activeElement);
  // On the window, because other listeners may stop the event.
  addEventListener("focusin", ({ target }) => remember(target), options);
  // WebKit focuses no button that is clicked.
  document.addEventListener("click", ({ target }) => remember(pressed(target)), options);
  document.addEventListener("beforetoggle", onBeforeToggle, options);
  document.addEventListener("toggle", onToggle, options);
  const changes = new MutationObserver(check);
  changes.observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ["disabled", "hidden", "inert"],
  });
  return () => {
    listening.abort();
    changes.disconnect();
    clearTimeout(timer);
  };
}

/** Returns the control that was clicked; null for a click outside all controls. */
function pressed(target: EventTarget | null): Element | null {
  const { activeElement } = document;
  const control = target instanceof Element ? target.closest(`${FOCUSABLE}, label`) : null;
  // A label and a script that moves the focus are told by the focus itself.
  return control?.matches("label") || activeElement !== document.body ? activeElement : control;
}

function remember(target: EventTarget | null): void {
  if (!(target instanceof HTMLElement) || target === document.body) {
    last = undefined;
    return;
  }
  if (last?.element === target) return;
  const over = target.closest<HTMLElement>("dialog, [popover]");
  const row = target.closest("tr, li");
  last = {
    element: target,
    path: location.pathname,
    rows: [row?.nextElementSibling, row?.previousElementSibling],
    opener: !over ? undefined : over.contains(last?.element ?? null) ? last?.opener : last,
  };
}

const openers = new WeakMap<HTMLElement, Place | undefined>();

function onBeforeToggle(event: Event): void {
  const { target } = event;
  if (!(target instanceof HTMLElement) || !isOpening(event)) return;
  openers.set(target, last);
}

function onToggle(event: Event): void {
  const { target } = event;
  if (!(target instanceof HTMLElement) || target.popover !== "auto") return;
  if (isOpening(event)) {
    if (!target.contains(document.activeElement)) enter(target);
  } else if (isLost()) {
    const places = [...placesOf(openers.get(target))];
    // Its element may have been drawn anew.
    const button = document.querySelector<HTMLElement>(`[popovertarget="${target.id}"]`);
    focusFirst([...places.map(({ element }) => element), button, titleOf()]);
  }
}

function isOpening(event: Event): boolean {
  return event instanceof ToggleEvent && event.newState === "open";
}

/**
 * Moves the focus into an opened dialog or menu: to its wrong field, to the safe answer of a
 * question, or to its beginning.
 */
function enter(opened: HTMLElement): void {
  const first = (selector: string) =>
    [...opened.querySelectorAll<HTMLElement>(selector)].find(isUsable);
  const target =
    first('[aria-invalid="true"]') ??
    (opened.role === "alertdialog" ? first('[popovertargetaction="hide"]') : undefined) ??
    first(FOCUSABLE);
  // On a phone the on-screen keyboard would cover it.
  const isTyped =
    target?.matches("textarea, select, input") && !matchMedia("(pointer: fine)").matches;
  if (target && !isTyped) target.focus();
  else focusText(opened);
}

function check(): void {
  clearTimeout(timer);
  // After the browser has taken the focus from hidden elements, and the screen has set its own.
  timer = setTimeout(() => requestAnimationFrame(restore));
}

function restore(): void {
  if (!last || !isLost()) return;
  const modal = [...document.querySelectorAll<HTMLElement>(MODAL)].at(-1);
  const near = [...placesOf(last)].flatMap(({ element, rows }) => [
    element,
    ...rows.map((row) => row?.querySelector<HTMLElement>(FOCUSABLE)),
  ]);
  const wrong = document.querySelectorAll<HTMLElement>('[aria-invalid="true"]');
  const isInside = (element: HTMLElement | null | undefined) =>
    !modal || modal.contains(element ?? null);
  const isFocused = focusFirst([...near, ...wrong].filter(isInside));
  if (isFocused) return;
  if (modal) enter(modal);
  else focusFirst([titleOf()]);
}

/** Returns the places of an element and of its openers, if they are on this screen. */
function* placesOf(place: Place | undefined): Generator<Place> {
  for (let one = place; one; one = one.opener) {
    if (one.path === location.pathname) yield one;
  }
}

/** True when the focus is on the body, or on an element that cannot be used any more. */
function isLost(): boolean {
  const { activeElement, body } = document;
  return (
    !(activeElement instanceof HTMLElement) || activeElement === body || !isUsable(activeElement)
  );
}

function isUsable(element: HTMLElement): boolean {
  return (
    element.isConnected &&
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.matches(":disabled") &&
    !element.closest('[inert], [aria-hidden="true"]')
  );
}

/** Focuses the first usable element. Returns whether there is one. */
function focusFirst(elements: (HTMLElement | null | undefined)[]): boolean {
  const target = elements.find((element) => element && isUsable(element));
  if (!target) return false;
  if (target.matches(FOCUSABLE)) target.focus({ preventScroll: true });
  else focusText(target);
  return true;
}

/** Focuses an element that is no control, such as a title, for screen readers and the next Tab. */
function focusText(element: HTMLElement): void {
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** Returns the title of the screen, but not of its placeholder while it loads. */
function titleOf(): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>("h1")].find(isUsable);
}
