type Key = Pick<
  KeyboardEvent,
  "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "repeat" | "isComposing"
>;

export type Shortcut = "palette" | "search" | "shortcuts";

/**
 * What a pressed key asks for: Ctrl-K (Cmd-K on an Apple keyboard) the palette, `/` the list's search, `?` the list of
 * shortcuts. Where a keyboard writes another script, the key's place counts instead of its letter.
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
  // Shift is no modifier here: many keyboards write "/" with it, and most write "?" so.
  if (event.key === "/" || (isOtherScript && event.code === "Slash" && !event.shiftKey)) {
    return "search";
  }
  return event.key === "?" || event.key === "؟" ? "shortcuts" : undefined;
}

/** Whether keys write into an element rather than being shortcuts. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches("input:not([type=checkbox], [type=radio]), textarea, select"))
  );
}

/** Whether this browser's keyboard has a Command key. */
export function isAppleKeyboard(): boolean {
  return /^(Mac|iP)/.test(navigator.platform);
}

const STORAGE_KEY = "singleKeyShortcuts";

/** Shortcuts of one character can be turned off: speech input and stray touches press keys too (WCAG 2.2, 2.1.4). */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== "off";
  } catch {
    return true;
  }
}

/** Remembers it for this browser; where storage is off, false. */
export function setSingleKeys(isOn: boolean): boolean {
  try {
    localStorage.setItem(STORAGE_KEY, isOn ? "on" : "off");
    return true;
  } catch {
    return false;
  }
}
