import type { ReactNode } from "react";
import { CopyIcon } from "../forms/copy-button.tsx";
import { useTranslation } from "./translation.tsx";
import { useFormat } from "./use-format.ts";

type FactProps = {
  term: string;
  className?: string;
  children: ReactNode;
};

/** Properties with short values, which a phone shows beside their terms. The terms take no more than they need. */
export function ShortFacts({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-1 content-start gap-4 text-sm max-sm:grid-cols-[fit-content(45%)_minmax(0,1fr)] max-sm:gap-x-3 max-sm:gap-y-2 max-sm:*:col-span-2 max-sm:*:grid-cols-subgrid max-sm:*:items-baseline max-sm:*:gap-x-3">
      {children}
    </dl>
  );
}

/** A property and its value, in a list of properties (`<dl>`). */
export function Fact({ term, className = "", children }: FactProps) {
  return (
    <div className={`grid min-w-0 content-start gap-1 ${className}`}>
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="grid min-w-0 grid-cols-1 justify-items-start gap-1 *:max-w-full">
        {children}
      </dd>
    </div>
  );
}

/** The id of a record, with a button that copies it. */
export function IdFact({ id }: { id: string }) {
  const { t } = useTranslation();
  return (
    <Fact term={t("list.id")}>
      <span className="flex min-h-lh items-center gap-1">
        <bdi
          dir="ltr"
          className="min-w-0 font-mono text-xs tracking-tight wrap-anywhere rtl:text-end"
        >
          {id}
        </bdi>
        <CopyIcon text={id} label={t("list.copyId")} />
      </span>
    </Fact>
  );
}

/** A moment to the second, with its time zone. */
export function MomentFact({ term, date }: { term: string; date: Date }) {
  return (
    <Fact term={term}>
      <ExactTime date={date} />
    </Fact>
  );
}

/** The time of a {@link MomentFact}, for a fact that has another value too. */
export function ExactTime({ date }: { date: Date }) {
  const format = useFormat();
  return (
    <time dateTime={date.toISOString()} suppressHydrationWarning>
      {format.exactMoment(date)}
    </time>
  );
}
