type Key = Pick<
  KeyboardEvent,
  "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "repeat" | "isComposing"
>;

export type Shortcut = "palette" | "search" | "shortcuts";

/**
 * Returns the shortcut of a pressed key: Ctrl-K (Cmd-K on an Apple keyboard) opens the palette, `/` goes to the list's
 * search, `?` opens the list of shortcuts. On a keyboard with another script the key's position counts instead of its
 * letter.
 */
export function shortcutOf(event: Key, isApple: boolean): Shortcut | undefined {
  if (event.isComposing || event.repeat || event.altKey) return undefined;
  const isOtherScript = /^\p{L}$/u.test(event.key) && !/^\p{Script=Latin}$/u.test(event.key);
  if (isApple ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey) {
    if (event.shiftKey) return undefined;
    const isK = isOtherScript ? event.code === "KeyK" : event.key.toLowerCase() === "k";
    return isK ? "palette" : undefined;
  }
  if (event.ctrlKey || event.metaKey) return undefined;
  // Shift is allowed: many keyboards need it for "/", and most for "?".
  if (event.key === "/" || (isOtherScript && event.code === "Slash" && !event.shiftKey)) {
    return "search";
  }
  return event.key === "?" || event.key === "؟" ? "shortcuts" : undefined;
}

/** True when an element takes text, so that keys are no shortcuts there. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches("input:not([type=checkbox], [type=radio]), textarea, select"))
  );
}

/** True when this browser's keyboard has a Command key. */
export function isAppleKeyboard(): boolean {
  return /^(Mac|iP)/.test(navigator.platform);
}

const STORAGE_KEY = "singleKeyShortcuts";

/**
 * True unless single-key shortcuts are turned off. Speech input and accidental touches can press them (WCAG 2.2,
 * 2.1.4).
 */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== "off";
  } catch {
    return true;
  }
}

/** Saves the choice in this browser; false when storage is off. */
export function setSingleKeys(isOn: boolean): boolean {
  try {
    localStorage.setItem(STORAGE_KEY, isOn ? "on" : "off");
    return true;
  } catch {
    return false;
  }
}
