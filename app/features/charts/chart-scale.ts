/** Steps of a scale, times a power of ten. Fractions only from ten on, so that a scale of counts has whole numbers. */
const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/**
 * Returns the values of the gridlines above zero: at most as many as asked for, equally far apart.
 * The last is the first at or above the highest value, the lowest is one at least. None when all
 * values are zero.
 */
export function gridlines(highest: number, most: number): number[] {
  const least = Math.max(highest, most) / most;
  const power = 10 ** Math.floor(Math.log10(least));
  const steps = STEPS.map((one) => one * power);
  const step = steps.find((one) => one >= least && Number.isInteger(one)) ?? 10 * power;
  return Array.from({ length: Math.ceil(highest / step) }, (_, index) => (index + 1) * step);
}

/** Part of a day's width that stays empty between two bars. */
const GAP = 0.3;
/** Least height of a bar, so that one of thousands is seen. */
const LEAST = 0.015;

/**
 * Returns all bars as one path of an SVG that is one unit wide for each day and one unit high. One path instead of an
 * element for each bar keeps the page small.
 */
export function barsPath(values: number[], top: number): string {
  return values
    .map((value, index) => {
      if (value === 0) return "";
      const height = round(heightOf(value, top));
      return `M${round(index + GAP / 2)} 1v-${height}h${round(1 - GAP)}v${height}z`;
    })
    .join("");
}

/** Returns the bar of the last of some days, as percentages of the SVG. */
export function lastBar(value: number, top: number, days: number) {
  const height = value === 0 ? 0 : heightOf(value, top);
  const percent = (part: number) => `${round(100 * part)}%`;
  return {
    x: percent((days - 1 + GAP / 2) / days),
    y: percent(1 - height),
    width: percent((1 - GAP) / days),
    height: percent(height),
  };
}

function heightOf(value: number, top: number): number {
  return Math.max(LEAST, value / top);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** True for the days that have a date below the chart: each seventh back from today, or all of a week. */
export function isDated(index: number, days: number): boolean {
  return days <= 7 || (days - 1 - index) % 7 === 0;
}
