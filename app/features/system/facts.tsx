import type { ReactNode } from "react";
import { Panel } from "../../ui/layout/panel.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { StateMark } from "./state-mark.tsx";
import type { BoundedCount, Mark } from "./status.ts";

/** A part of the page with its state. */
export function PartPanel({
  id,
  title,
  mark,
  children,
}: {
  id?: string;
  title: string;
  /** Undefined where the facts alone say the state. */
  mark: Mark | undefined;
  children: ReactNode;
}) {
  return (
    <Panel id={id} title={title} action={mark && <StateMark mark={mark} />}>
      {children}
    </Panel>
  );
}

/** What is known about a part. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid gap-3 text-sm">{children}</dl>;
}

/** One fact. On a phone a short value ends the line of its term, and a long one stands below it. */
export function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4 sm:grid sm:grid-cols-[9.5rem_minmax(0,1fr)]">
      <dt className="text-muted">{term}</dt>
      <dd className="grid min-w-0 justify-items-start gap-1 wrap-anywhere">{children}</dd>
    </div>
  );
}

/** A count, or "more than" where counting stopped. */
export function Count({ value }: { value: BoundedCount }) {
  const { t } = useTranslation("system");
  const formatted = useFormat().number(value.count);
  return <Formatted>{value.isMore ? t("more", { formatted }) : formatted}</Formatted>;
}
