import Bowser from "bowser";
import type { Device } from "./device-icon.ts";

/** Returns the browser and system of a user agent; undefined when both are unknown. */
export function describeDevice(userAgent: string | null): Device | undefined {
  if (!userAgent) return undefined;
  const { browser, os } = Bowser.parse(userAgent);
  return browser.name && os.name ? { browser: browser.name, system: os.name } : undefined;
}
