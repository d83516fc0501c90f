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

/** Letters that open a screen after G, by the last word of its URL. */
const LETTERS: Record<string, string> = {
  app: "H",
  dashboard: "D",
  users: "U",
  organizations: "O",
  repositories: "R",
  audit: "L",
  mail: "M",
  settings: "S",
  system: "Y",
  account: "A",
};

/** Returns the letter that opens a screen after G; undefined for a screen without one. */
export function letterOf(path: string): string | undefined {
  return LETTERS[path.split("/").at(-1) ?? ""];
}

/**
 * Returns the Latin letter of a key that is pressed alone, in upper case. On a keyboard with another script the key's
 * position counts.
 */
export function pressedLetter(event: Key): string | undefined {
  if (event.isComposing || event.repeat) return undefined;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return undefined;
  if (/^[a-z]$/i.test(event.key)) return event.key.toUpperCase();
  return /^\p{L}$/u.test(event.key) ? /^Key([A-Z])$/.exec(event.code)?.[1] : undefined;
}

/** True when this browser's keyboard has a Command key. */
export function isAppleKeyboard(): boolean {
  return /^(Mac|iP)/.test(navigator.platform);
}
