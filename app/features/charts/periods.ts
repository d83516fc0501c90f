/** Days that the charts can show, today included. */
export const PERIODS = [7, 30, 90] as const;
type Period = (typeof PERIODS)[number];

const DEFAULT_PERIOD = 30;

/** Returns the period in `?days=`, or 30 days. */
export function readPeriod(search: URLSearchParams): Period {
  const days = search.get("days");
  return PERIODS.find((period) => String(period) === days) ?? DEFAULT_PERIOD;
}
