import { useTranslation } from "./translation.tsx";

const UNITS = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["week", 7 * 86_400],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

type RelativeTimeProps = {
  date: Date;
  /** The moment of the answer, so that server and browser write the same. */
  now: Date;
};

/** How long ago, with the exact time on hover and for screen readers. */
export function RelativeTime({ date, now }: RelativeTimeProps) {
  const { i18n } = useTranslation();
  const locale = i18n.language === "ar" ? "ar-u-nu-latn" : i18n.language;
  const exact = new Intl.DateTimeFormat(locale, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  }).format(date);
  const seconds = (date.getTime() - now.getTime()) / 1_000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ["minute", 60];
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(
    Math.trunc(seconds / size),
    unit,
  );
  return (
    <time dateTime={date.toISOString()} title={`${exact} UTC`}>
      <span aria-hidden="true">{relative}</span>
      <span className="sr-only">{exact} UTC</span>
    </time>
  );
}
