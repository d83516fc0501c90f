import type { ReactNode } from "react";
import { useFormat } from "./use-format.ts";

type FactProps = {
  term: string;
  /** True for a short value, which a phone shows beside the term. */
  isShort?: boolean;
  className?: string;
  children: ReactNode;
};

/** A property and its value, in a list of properties (`<dl>`). */
export function Fact({ term, isShort, className = "", children }: FactProps) {
  const columns = isShort ? "max-sm:grid-cols-[minmax(0,9fr)_minmax(0,11fr)] max-sm:gap-x-3" : "";
  return (
    <div className={`grid min-w-0 content-start gap-1 ${columns} ${className}`}>
      <dt className="text-sm text-muted">{term}</dt>
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
