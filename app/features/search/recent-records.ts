import type { Entry } from "./entries.ts";

const KEY = "gatehouse.recent:";
const MAX_RECENT = 5;

type Area = "app" | "manager";

/** Returns the records that this tab opened last from the palette, the latest first. */
export function recentRecords(area: Area): Entry[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY + area) ?? "[]");
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}

/** Stores in this tab that a record was opened. */
export function rememberRecord(area: Area, entry: Entry): void {
  const others = recentRecords(area).filter(({ id }) => id !== entry.id);
  try {
    sessionStorage.setItem(KEY + area, JSON.stringify([entry, ...others].slice(0, MAX_RECENT)));
  } catch {
    // Storage is off or full; the palette shows no recent records.
  }
}
