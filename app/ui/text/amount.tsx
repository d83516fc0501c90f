import { formatMoney } from "../../i18n/money-format.ts";
import type { Money } from "../../values/money.ts";
import { useLanguage } from "./translation.tsx";
import { useDayFormat } from "./use-format.ts";

/** An amount of money with its currency, in the reader's language. */
export function Amount({ money }: { money: Money }) {
  const language = useLanguage();
  return (
    <bdi suppressHydrationWarning className="whitespace-nowrap tabular-nums">
      {formatMoney(money, language)}
    </bdi>
  );
}

/** A calendar day such as "2026-11-28", which belongs to no time zone. */
export function Day({ day }: { day: string }) {
  const format = useDayFormat();
  return (
    <time dateTime={day} suppressHydrationWarning className="whitespace-nowrap">
      {format.day(new Date(day))}
    </time>
  );
}
