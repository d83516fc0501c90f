export type PartOfDay = "morning" | "afternoon" | "evening";

const MORNING_HOUR = 5;
const AFTERNOON_HOUR = 12;
const EVENING_HOUR = 18;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Returns the part of the day in a time zone (IANA name); undefined when the time zone is not known. */
export function partOfDay(now: Date, timeZone: string | undefined): PartOfDay | undefined {
  if (!timeZone) return undefined;
  const hour = hourIn(now, timeZone);
  if (hour === undefined) return undefined;
  if (hour < MORNING_HOUR || hour >= EVENING_HOUR) return "evening";
  return hour < AFTERNOON_HOUR ? "morning" : "afternoon";
}

function hourIn(now: Date, timeZone: string): number | undefined {
  try {
    const clock =
      clocks.get(timeZone) ??
      new Intl.DateTimeFormat("en", { timeZone, hour: "numeric", hourCycle: "h23" });
    clocks.set(timeZone, clock);
    return Number(clock.format(now));
  } catch {
    // Intl does not know this time zone.
    return undefined;
  }
}
