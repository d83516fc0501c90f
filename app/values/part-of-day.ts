const MORNING_HOUR = 5;
const AFTERNOON_HOUR = 12;
const EVENING_HOUR = 18;

/** Returns the part of the day of an hour from 0 to 23; the night belongs to the evening. */
export function partOfDay(hour: number): "morning" | "afternoon" | "evening" {
  if (hour < MORNING_HOUR || hour >= EVENING_HOUR) return "evening";
  return hour < AFTERNOON_HOUR ? "morning" : "afternoon";
}
