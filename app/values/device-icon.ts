/** The browser and system of a session, as `describeDevice` names them. */
export type Device = { browser: string; system: string };

/** Systems of phones, in the words of `describeDevice`. */
const PHONE_SYSTEMS = ["Android", "iOS"];

/** Returns the name of a device's icon: a phone or, also for an unknown device, a monitor. */
export function deviceIcon(device: Device | undefined): "smartphone" | "monitor" {
  return device && PHONE_SYSTEMS.includes(device.system) ? "smartphone" : "monitor";
}
