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

/** True when this browser's keyboard has a Command key. */
export function isAppleKeyboard(): boolean {
  return /^(Mac|iP)/.test(navigator.platform);
}
