import { useFormat } from "./use-format.ts";

type TimeProps = {
  date: Date;
  /** Time of the response, so that server and browser write the same. */
  now: Date;
};

/** A time whose exact moment is its description. */
function DescribedTime({ date, children }: { date: Date; children: string }) {
  const format = useFormat();
  return (
    <time
      dateTime={date.toISOString()}
      title={format.longMoment(date)}
      suppressHydrationWarning
      className="whitespace-nowrap"
    >
      {children}
    </time>
  );
}

/** A time in a list: the distance from now for 7 days, then the local date. The exact time is its description. */
export function RelativeTime({ date, now }: TimeProps) {
  const format = useFormat();
  return <DescribedTime date={date}>{format.recent(date, now)}</DescribedTime>;
}

/**
 * The day of something that lasts, such as a membership: "today" also when it has just begun. The
 * exact time is its description.
 */
export function RecentDay({ date, now }: TimeProps) {
  const format = useFormat();
  return <DescribedTime date={date}>{format.recentDay(date, now)}</DescribedTime>;
}

type ActiveTimeProps = TimeProps & {
  /** Written for the last hour, as activity is stored once an hour. */
  lastHour: string;
};

/** Last activity: in the last hour, or on a day. The exact time is not stored. */
export function ActiveTime({ date, now, lastHour }: ActiveTimeProps) {
  const format = useFormat();
  if (format.isLastActive(date, now)) {
    return (
      <span className="whitespace-nowrap" suppressHydrationWarning>
        {lastHour}
      </span>
    );
  }
  return (
    <time
      dateTime={date.toISOString().slice(0, 10)}
      suppressHydrationWarning
      className="whitespace-nowrap"
    >
      {format.recentDay(date, now)}
    </time>
  );
}

/** A time of the last days with its clock time: "today, 14:03". */
export function RecentMoment({ date, now }: TimeProps) {
  const format = useFormat();
  return <DescribedTime date={date}>{format.recentMoment(date, now)}</DescribedTime>;
}

/** The local date and time, where the order of things is the point. The exact time is its description. */
export function LocalTime({ date }: Pick<TimeProps, "date">) {
  const format = useFormat();
  return <DescribedTime date={date}>{format.moment(date)}</DescribedTime>;
}

/** A relative time that is a text of its own, so it begins with a capital: "Yesterday". */
export function LoneTime({ className = "", ...time }: TimeProps & { className?: string }) {
  return (
    <span className={`inline-block text-muted first-letter:uppercase ${className}`}>
      <RelativeTime {...time} />
    </span>
  );
}

type DetailTimeProps = TimeProps & {
  /** True where a phone has room for the distance too. */
  hasLine?: boolean;
};

/** A time in the details of one thing: the local date and time, and the distance from now. */
export function DetailTime({ date, now, hasLine = false }: DetailTimeProps) {
  const format = useFormat();
  return (
    <time dateTime={date.toISOString()} className="flex flex-wrap gap-x-2" suppressHydrationWarning>
      <span suppressHydrationWarning>{format.moment(date)}</span>{" "}
      <span className={`text-muted ${hasLine ? "" : "max-sm:hidden"}`} suppressHydrationWarning>
        {format.ago(date, now)}
      </span>
    </time>
  );
}
