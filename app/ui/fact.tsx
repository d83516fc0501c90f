import type { ReactNode } from "react";
import { useFormat } from "./use-format.ts";

/** A property and its value, in a list of properties (`<dl>`). */
export function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 content-start gap-1">
      <dt className="text-muted">{term}</dt>
      <dd className="grid min-w-0 grid-cols-1 justify-items-start gap-1 *:max-w-full">
        {children}
      </dd>
    </div>
  );
}

/** A moment to the second, with its time zone. */
export function MomentFact({ term, date }: { term: string; date: Date }) {
  const format = useFormat();
  return (
    <Fact term={term}>
      <time dateTime={date.toISOString()} suppressHydrationWarning>
        {format.exactMoment(date)}
      </time>
    </Fact>
  );
}
