import { z } from "zod";

const DAY_MS = 86_400_000;

/** Two days of an address, `YYYY-MM-DD`, both included and each optional. */
export type DayRange = { from?: string; to?: string };

/** Reads the two days, by these names; `isMalformed` when one of them is no day and was ignored. */
export function readDayRange(
  url: URL,
  names = { from: "from", to: "to" },
): DayRange & { isMalformed: boolean } {
  const read = (name: string) => z.iso.date().safeParse(url.searchParams.get(name) || undefined);
  const [from, to] = [read(names.from), read(names.to)];
  const isMalformed = [names.from, names.to].some(
    (name) => url.searchParams.get(name) && !read(name).success,
  );
  return { from: from.data, to: to.data, isMalformed };
}

/** A day as an address has it, in UTC. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** The moments between which a range lies: from the first on, before the second. */
export function momentsOf({ from, to }: DayRange): { start?: Date; end?: Date } {
  return {
    start: from === undefined ? undefined : new Date(from),
    end: to === undefined ? undefined : new Date(new Date(to).getTime() + DAY_MS),
  };
}
