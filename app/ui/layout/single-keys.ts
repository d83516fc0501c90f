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

/** True when an element takes text, so that keys are no shortcuts there. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches("input:not([type=checkbox], [type=radio]), textarea, select"))
  );
}
