import type { Locator, Page } from "@playwright/test";
import { expect } from "./e2e.ts";
import { effectsHaveRun } from "./hydration.ts";

/** Dialogs and menus over the page, but not toasts and notices, which are manual popovers. */
const OVER =
  ':popover-open:not([popover="manual"]), dialog:modal, [role="dialog"][data-open]:not(dialog, [popover])';

/** Waits until the focus is somewhere in the page. */
export async function expectFocus(page: Page, when: string): Promise<void> {
  await expect
    .poll(
      () =>
        page.evaluate(() => {
          const { activeElement, body } = document;
          if (!(activeElement instanceof HTMLElement) || activeElement === body) return "nothing";
          return activeElement.checkVisibility() ? "something" : "something hidden";
        }),
      { message: `has the focus ${when}` },
    )
    .toBe("something");
}

/** Waits until the focus is in the dialog or menu that opened last. */
export async function expectFocusInside(page: Page, when: string): Promise<void> {
  await page.evaluate(effectsHaveRun);
  await expect
    .poll(
      () =>
        page.evaluate((over) => {
          const opened = [...document.querySelectorAll(over)];
          return opened.some((one) => one.contains(document.activeElement));
        }, OVER),
      { message: `the focus is inside of what was opened ${when}` },
    )
    .toBe(true);
}

/**
 * Marks what may open something, as `data-opener`: each button that sends nothing, each "⋯", and
 * each link to the same screen; of the rows of a list the first. Returns their number.
 */
export function markOpeners(page: Page, within: string): Promise<number> {
  return page.evaluate((root) => {
    for (const old of document.querySelectorAll("[data-opener]"))
      old.removeAttribute("data-opener");
    const seen = new Set<string>();
    const isLinkHere = (element: Element) => {
      if (!(element instanceof HTMLAnchorElement) || element.closest("table, nav")) return false;
      const { pathname, search, hash } = new URL(element.href, location.href);
      return pathname === location.pathname && search !== location.search && !hash;
    };
    const openers = [...document.querySelectorAll<HTMLElement>(`${root} :is(a, button)`)].filter(
      (element) => {
        const isButton = element instanceof HTMLButtonElement && element.type === "button";
        if (!isButton && !element.dataset.row && !isLinkHere(element)) return false;
        if (!element.checkVisibility() || element.closest("[data-sonner-toaster]")) return false;
        if (element.matches(":disabled") || element.closest("[inert]")) return false;
        const list = element.closest("table, ul");
        const row = element.closest("tr, li");
        if (!list || !row) return true;
        const lists = [...document.querySelectorAll("table, ul")];
        const key = `${lists.indexOf(list)} ${element.className}`;
        if (seen.has(key)) return false;
        seen.add(key);
        return true;
      },
    );
    for (const [index, element] of openers.entries()) element.dataset.opener = String(index);
    return openers.length;
  }, within);
}

/** The open dialogs and menus. */
export function opened(page: Page): Locator {
  return page.locator(OVER);
}
