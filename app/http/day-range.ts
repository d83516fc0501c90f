import { z } from "zod";

const DAY_MS = 86_400_000;

/** Two days of an address, `YYYY-MM-DD`, both included and each optional. */
export type DayRange = { from?: string; to?: string };

const Days = z.object({
  from: z.iso.date().optional().catch(undefined),
  to: z.iso.date().optional().catch(undefined),
});

/** Reads `from` and `to`; `isMalformed` when one of them is no day and was ignored. */
export function readDayRange(url: URL): DayRange & { isMalformed: boolean } {
  const isMalformed = ["from", "to"].some((name) => {
    const value = url.searchParams.get(name);
    return value !== null && value !== "" && !z.iso.date().safeParse(value).success;
  });
  return { ...Days.parse(Object.fromEntries(url.searchParams)), isMalformed };
}

/** The moments between which a range lies: from the first on, before the second. */
export function momentsOf({ from, to }: DayRange): { start?: Date; end?: Date } {
  return {
    start: from === undefined ? undefined : new Date(from),
    end: to === undefined ? undefined : new Date(new Date(to).getTime() + DAY_MS),
  };
}
