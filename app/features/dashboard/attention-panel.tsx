import { Children, type ReactNode } from "react";
import { href } from "react-router";
import type { MailPause } from "../../db/mail-pause.ts";
import { Icon } from "../../ui/text/icon.tsx";
import { isolateLtr } from "../../ui/text/isolate.ts";
import { useText, useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { AttentionItem, type AttentionItemProps } from "../access/attention-item.tsx";
import type { Permission } from "../access/permissions.ts";
import { TO_DO } from "../access/things.ts";
import {
  type AttentionCount,
  type AttentionKind,
  type Counts,
  needsAttention,
} from "./attention.ts";
import { type DeliveryCounts, RATE_LIMITS, ratesOf } from "./delivery-rates.ts";

const ICONS: Record<AttentionKind, AttentionItemProps["icon"]> = {
  mailsFailed: { name: "triangle-alert", tone: "text-warning" },
  mailsBounced: { name: "triangle-alert", tone: "text-warning" },
  mailsComplained: { name: "triangle-alert", tone: "text-warning" },
  codesFailed: { name: "triangle-alert", tone: "text-warning" },
  mailsWaiting: { name: "clock", tone: "text-muted" },
};

/** The permission to open the list behind each count. */
const PERMISSIONS: Record<AttentionKind, Permission> = {
  mailsFailed: ["mail", "read"],
  mailsBounced: ["mail", "read"],
  mailsComplained: ["mail", "read"],
  codesFailed: ["mail", "read"],
  mailsWaiting: ["mail", "read"],
};

type AttentionPanelProps = {
  attention: Counts;
  /** What waits in features, by its kind. */
  toDo: Readonly<Record<string, AttentionCount>>;
  /** Mails of the last 7 days, for the rates. */
  deliveries: DeliveryCounts;
  /** Today and the first of the last 7 days, for the links to the lists. */
  since: { today: string; week: string };
  pause: MailPause | undefined;
  now: Date;
  /** List items before the counts, such as what does not work; nothing without any. */
  children?: ReactNode;
};

/**
 * What needs a manager's attention, each with a link to what it counts. A manager can act on each.
 */
export function AttentionPanel(props: AttentionPanelProps) {
  const { attention, toDo, deliveries, since, pause, now, children } = props;
  const { t } = useTranslation("manager");
  const logs = useTranslation("logs");
  const format = useFormat();
  const text = useText();
  const textOf = useAttentionText(deliveries);
  const counted = useCounted();
  const items = needsAttention(attention);
  const waiting = Object.entries(TO_DO).flatMap(([kind, fact]) => {
    const counts = toDo[kind];
    return fact && counts && counts.count > 0 ? [{ kind, fact, counts }] : [];
  });
  const others = Children.toArray(children);
  const isEmpty = [items, waiting, others].every(({ length }) => length === 0) && !pause;
  const mail = (search: string) => `${href("/manager/mail")}?${search}`;
  const lists: Record<AttentionKind, string> = {
    mailsFailed: mail("state=failed"),
    codesFailed: mail(`kind=login-code&state=failed&from=${since.today}`),
    mailsBounced: mail(`delivery=bounced&from=${since.week}`),
    mailsComplained: mail(`delivery=complained&from=${since.week}`),
    mailsWaiting: mail("state=waiting"),
  };
  return (
    <section className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-md border border-line bg-panel p-4 shadow-low sm:px-6">
      <h2 className="text-base font-semibold">{t("dashboard.attention.title")}</h2>
      {!isEmpty && (
        <ul className="flex flex-wrap gap-2 text-sm">
          {others}
          {pause && (
            <AttentionItem
              permission={["mail", "read"]}
              to={href("/manager/mail")}
              icon={{ name: "octagon-x", tone: "text-danger" }}
            >
              {logs.t(`mail.quota.${pause.quota}`, { when: format.ago(pause.until, now) })}
            </AttentionItem>
          )}
          {/* What waits comes before what went wrong: only a manager can end it. */}
          {waiting.map(({ kind, fact, counts }) => (
            <AttentionItem
              key={kind}
              permission={fact.needs}
              to={fact.to}
              icon={{ name: fact.icon, tone: "text-accent-ink" }}
            >
              {text(fact.label, counted(counts))}
            </AttentionItem>
          ))}
          {items.map(({ kind, ...counts }) => (
            <AttentionItem
              key={kind}
              permission={PERMISSIONS[kind]}
              to={lists[kind]}
              icon={ICONS[kind]}
            >
              {textOf(kind, counts)}
            </AttentionItem>
          ))}
        </ul>
      )}
      {isEmpty && (
        <p className="flex items-center gap-2 text-sm">
          <Icon name="circle-check" className="size-5 shrink-0 text-success" />
          {t("dashboard.attention.none")}
        </p>
      )}
    </section>
  );
}

/** Returns a function that gives the values of a text about a count. */
function useCounted() {
  const format = useFormat();
  return ({ count, isMore }: AttentionCount) => ({
    count,
    formatted: `${format.number(count)}${isMore ? "+" : ""}`,
  });
}

/** Returns a function that writes a count, with its rate and the rate's limit where it has them. */
function useAttentionText(deliveries: DeliveryCounts) {
  const { t } = useTranslation("manager");
  const format = useFormat();
  const valuesOf = useCounted();
  const rates = ratesOf(deliveries);
  const written = (outcome: keyof typeof RATE_LIMITS) => ({
    rate: isolateLtr(format.rate(rates[outcome])),
    limit: isolateLtr(format.rate(RATE_LIMITS[outcome])),
  });
  return (kind: AttentionKind, counts: AttentionCount) => {
    const counted = valuesOf(counts);
    switch (kind) {
      case "mailsBounced":
        return t("dashboard.attention.mailsBounced", { ...counted, ...written("bounced") });
      case "mailsComplained":
        return t("dashboard.attention.mailsComplained", { ...counted, ...written("complained") });
      default:
        return t(`dashboard.attention.${kind}`, counted);
    }
  };
}
