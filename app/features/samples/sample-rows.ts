import { DAY_MS, HOUR_MS } from "../../values/time.ts";

export type Row = Record<string, string | number | null>;

/** The rows of one table for one index: a user, a repository, or the rows of one organization. */
export type SampleTable = { table: string; count: number; rowsOf: (index: number) => Row[] };

export function userId(index: number) {
  return sampleId("user", index);
}

/** Returns the id of a row: a UUID, as real rows have, and the same one in every run. */
export function sampleId(kind: string, index: number) {
  const random = randomOf(kind, index);
  const part = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
  return `${part()}${part()}${part()}${part()}`.replace(
    /^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/,
    "$1-$2-4$3-8$4-$5",
  );
}

/** Returns a random time in the last two years; recent times are likelier. */
export function momentBefore(now: number, random: () => number) {
  return Math.floor(now - HOUR_MS - random() ** 2 * 730 * DAY_MS);
}

/** Returns a generator of numbers from 0 to 1, with the same sequence for the same row (mulberry32). */
export function randomOf(kind: string, index: number) {
  let state = index * 0x9e3779b1;
  for (const letter of kind) state = Math.imul(state ^ letter.charCodeAt(0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns the value at an index; starts over after the last. */
export function pick<T>(values: readonly T[], index: number): T {
  return values[index % values.length] as T;
}
