import { useFormat } from "./use-format.ts";

type RelativeTimeProps = {
  date: Date;
  /** The moment of the answer, so that server and browser write the same. */
  now: Date;
};

/** How long ago, with the exact time on hover and for screen readers. */
export function RelativeTime({ date, now }: RelativeTimeProps) {
  const format = useFormat();
  const exact = format.longMoment(date);
  return (
    <time
      dateTime={date.toISOString()}
      title={exact}
      suppressHydrationWarning
      className="whitespace-nowrap"
    >
      <span aria-hidden="true" suppressHydrationWarning>
        {format.ago(date, now)}
      </span>
      <span className="sr-only" suppressHydrationWarning>
        {exact}
      </span>
    </time>
  );
}
