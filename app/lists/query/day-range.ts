import { z } from "zod";
import { formatsOf } from "../../i18n/formats.ts";
import { dayAfter } from "../../values/time.ts";

/** A range of days from the URL, `YYYY-MM-DD`, both included and each optional. */
export type DayRange = { from?: string; to?: string };

const Day = z.iso.date().optional();

/** Reads the range from these parameters. `isMalformed` is true when a value is not a day and was ignored. */
export function readDayRange(
  url: URL,
  names = { from: "from", to: "to" },
): DayRange & { isMalformed: boolean } {
  const read = (name: string) => Day.safeParse(url.searchParams.get(name) || undefined);
  const [from, to] = [read(names.from), read(names.to)];
  return { from: from.data, to: to.data, isMalformed: !from.success || !to.success };
}

/** Returns the limits of a range of the reader's days as dates: `start` is included, `end` is not. */
export function momentsOf(
  { from, to }: DayRange,
  timeZone: string | undefined,
): { start?: Date; end?: Date } {
  const { startOfDay } = formatsOf("en", timeZone);
  return {
    start: from === undefined ? undefined : startOfDay(from),
    end: to === undefined ? undefined : startOfDay(dayAfter(to, 1)),
  };
}
