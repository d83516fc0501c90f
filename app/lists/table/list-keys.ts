import { type RefObject, useEffect } from "react";
import { areSingleKeysOn, isTyping } from "../../ui/layout/single-keys.ts";
import { OPEN_POPOVER } from "../../ui/overlays/close-popover.ts";

/**
 * Keys of a list: `j` and `k` move the focus to the next and the previous row, `x` chooses the row with the focus, and
 * Enter opens it, because the focus is on its link.
 */
export function useListKeys(list: RefObject<HTMLElement | null>): void {
  // Outside React: keys that are pressed anywhere on the page.
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (event.defaultPrevented || event.isComposing || isTyping(event.target)) return;
      if (!areSingleKeysOn() || document.querySelector(`${OPEN_POPOVER}, dialog[open]`)) return;
      if (list.current && follow(list.current, letterOf(event))) event.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [list]);
}

/** Does what a key asks for. Returns false for a key without a meaning here. */
function follow(list: HTMLElement, key: string): boolean {
  const rows = [...list.querySelectorAll<HTMLElement>(".list-row")];
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  if (key === "x") {
    const box = rows[current]?.querySelector<HTMLInputElement>('input[name="id"]');
    // A click, so that the list counts it as chosen.
    box?.click();
    return box !== null && box !== undefined;
  }
  const next = { j: current + 1, k: current < 0 ? rows.length - 1 : current - 1 }[key];
  const row = next === undefined ? undefined : rows[next];
  const link = row?.querySelector<HTMLElement>(".list-link, a[href], summary");
  link?.focus();
  link?.scrollIntoView({ block: "nearest" });
  return link !== null && link !== undefined;
}

/** Returns the letter of a pressed key. On a keyboard with another script the key's position counts. */
function letterOf({ key, code }: KeyboardEvent): string {
  const isOtherScript = /^\p{L}$/u.test(key) && !/^\p{Script=Latin}$/u.test(key);
  return isOtherScript ? code.replace("Key", "").toLowerCase() : key;
}
