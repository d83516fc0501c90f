import { useFormat } from "./use-format.ts";

type RelativeTimeProps = {
  date: Date;
  /** Time of the response, so that server and browser write the same. */
  now: Date;
};

/** Time since a date, with the exact time on hover and as a description for screen readers. */
export function RelativeTime({ date, now }: RelativeTimeProps) {
  const format = useFormat();
  return (
    <time
      dateTime={date.toISOString()}
      title={format.longMoment(date)}
      suppressHydrationWarning
      className="whitespace-nowrap"
    >
      {format.ago(date, now)}
    </time>
  );
}
