import Bowser from "bowser";

/** The browser and system that a user agent names; undefined when it names none we know. */
export function describeDevice(
  userAgent: string | null,
): { browser: string; system: string } | undefined {
  if (!userAgent) return undefined;
  const { browser, os } = Bowser.parse(userAgent);
  return browser.name && os.name ? { browser: browser.name, system: os.name } : undefined;
}
