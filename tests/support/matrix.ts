import { LANGUAGES, type Language } from "../../app/i18n/languages.ts";
import { isFull } from "./thoroughness.ts";

/** Languages of a test about layout or wording: the gate takes one for each direction, `npm run test:full` all. */
export const EACH_DIRECTION: readonly Language[] = isFull ? LANGUAGES : ["en", "ar"];

/**
 * Languages of a test about behaviour, which is the same in each. The gate takes Arabic: it reveals both a forgotten
 * text direction and an English text that was not translated.
 */
export const ANY_LANGUAGE: readonly ("en" | "ar")[] = isFull ? ["en", "ar"] : ["ar"];

type Axes = Record<string, readonly unknown[]>;

type Setting<A extends Axes> = { [Name in keyof A]: A[Name][number] };

/**
 * Returns the settings in which a test runs. `npm run test:full` combines every value with every
 * other one. The gate takes the first value of each axis together, then the second of each, and so
 * on: it tries every value at least once. Of most journeys it takes only one of these settings, the
 * one at the index `inGate`.
 *
 *     matrix({ language: ["en", "ar"], size: ["desktop", "phone"] })
 *     // in the gate: en on a desktop, ar on a phone
 */
export function matrix<const A extends Axes>(axes: A, inGate?: number): Setting<A>[] {
  if (isFull) return everyCombination(axes);
  const settings = everyValueOnce(axes);
  return inGate === undefined ? settings : settings.slice(inGate, inGate + 1);
}

/**
 * Returns the settings that one test of a long list takes, by its index in the list. `npm run test:full` takes all of
 * them. The gate takes one, by turns.
 */
export function inTurn<T>(settings: readonly T[], index: number): readonly T[] {
  const turn = index % settings.length;
  return isFull ? settings : settings.slice(turn, turn + 1);
}

/** An axis may name a value twice, to tell the gate what goes together. */
function everyCombination<A extends Axes>(axes: A): Setting<A>[] {
  return Object.entries(axes).reduce<Record<string, unknown>[]>(
    (settings, [name, values]) =>
      settings.flatMap((setting) =>
        [...new Set(values)].map((value) => ({ ...setting, [name]: value })),
      ),
    [{}],
  ) as Setting<A>[];
}

function everyValueOnce<A extends Axes>(axes: A): Setting<A>[] {
  const count = Math.max(...Object.values(axes).map((values) => values.length));
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(
      Object.entries(axes).map(([name, values]) => [name, values[index % values.length]]),
    ),
  ) as Setting<A>[];
}
