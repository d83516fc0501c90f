import { Children, type ReactNode } from "react";
import { href } from "react-router";
import type { MailPause } from "../../db/mail-pause.ts";
import { Icon } from "../../ui/text/icon.tsx";
import { isolateLtr } from "../../ui/text/isolate.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { AttentionItem, type AttentionItemProps } from "../access/attention-item.tsx";
import type { Permission } from "../access/permissions.ts";
import {
  type AttentionCount,
  type AttentionKind,
  type Counts,
  needsAttention,
} from "./attention.ts";
import { type DeliveryCounts, RATE_LIMITS, ratesOf } from "./delivery-rates.ts";

const ICONS: Record<AttentionKind, AttentionItemProps["icon"]> = {
  peopleWaiting: { name: "users", tone: "text-accent-ink" },
  mailsFailed: { name: "triangle-alert", tone: "text-warning" },
  mailsBounced: { name: "triangle-alert", tone: "text-warning" },
  mailsComplained: { name: "triangle-alert", tone: "text-warning" },
  codesFailed: { name: "triangle-alert", tone: "text-warning" },
  mailsWaiting: { name: "clock", tone: "text-muted" },
  wrongCodes: { name: "key-round", tone: "text-muted" },
  notOnboarded: { name: "user-plus", tone: "text-muted" },
};

/** The permission to open the list behind each count. */
const PERMISSIONS: Record<AttentionKind, Permission> = {
  peopleWaiting: ["settings", "read"],
  mailsFailed: ["mail", "read"],
  mailsBounced: ["mail", "read"],
  mailsComplained: ["mail", "read"],
  codesFailed: ["mail", "read"],
  mailsWaiting: ["mail", "read"],
  wrongCodes: ["dashboard", "read"],
  notOnboarded: ["user", "list"],
};

type AttentionPanelProps = {
  attention: Counts;
  /** Mails of the last 7 days, for the rates. */
  deliveries: DeliveryCounts;
  /** Today and the first of the last 7 days, for the links to the lists. */
  since: { today: string; week: string };
  pause: MailPause | undefined;
  now: Date;
  /** List items before the counts, such as what does not work; nothing without any. */
  children?: ReactNode;
};

/** What needs a manager's attention, each with a link to what it counts: one list for the dashboard and the system page. */
export function AttentionPanel(props: AttentionPanelProps) {
  const { attention, deliveries, since, pause, now, children } = props;
  const { t } = useTranslation("manager");
  const logs = useTranslation("logs");
  const format = useFormat();
  const textOf = useAttentionText(deliveries);
  const items = needsAttention(attention);
  const others = Children.toArray(children);
  const mail = (search: string) => `${href("/manager/mail")}?${search}`;
  const lists: Record<AttentionKind, string> = {
    peopleWaiting: href("/manager/settings/waiting-list"),
    mailsFailed: mail("state=failed"),
    codesFailed: mail(`kind=login-code&state=failed&from=${since.today}`),
    mailsBounced: mail(`delivery=bounced&from=${since.week}`),
    mailsComplained: mail(`delivery=complained&from=${since.week}`),
    mailsWaiting: mail("state=waiting"),
    // Wrong codes have no list, because they are stored without their e-mails.
    wrongCodes: "#chart-wrongCodes",
    notOnboarded: `${href("/manager/users")}?status=not-onboarded`,
  };
  return (
    <section className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-md border border-line bg-panel p-4 shadow-low sm:px-6">
      <h2 className="text-base font-semibold">{t("dashboard.attention.title")}</h2>
      {(items.length > 0 || pause || others.length > 0) && (
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
          {items.map(({ kind, ...counted }) => (
            <AttentionItem
              key={kind}
              permission={PERMISSIONS[kind]}
              to={lists[kind]}
              icon={ICONS[kind]}
            >
              {textOf(kind, counted)}
            </AttentionItem>
          ))}
        </ul>
      )}
      {items.length === 0 && !pause && others.length === 0 && (
        <p className="flex items-center gap-2 text-sm">
          <Icon name="circle-check" className="size-5 shrink-0 text-success" />
          {t("dashboard.attention.none")}
        </p>
      )}
    </section>
  );
}

/** Returns a function that writes a count, with its rate and the rate's limit where it has them. */
function useAttentionText(deliveries: DeliveryCounts) {
  const { t } = useTranslation("manager");
  const format = useFormat();
  const rates = ratesOf(deliveries);
  const written = (outcome: keyof typeof RATE_LIMITS) => ({
    rate: isolateLtr(format.rate(rates[outcome])),
    limit: isolateLtr(format.rate(RATE_LIMITS[outcome])),
  });
  return (kind: AttentionKind, { count, isMore }: AttentionCount) => {
    const counted = { count, formatted: `${format.number(count)}${isMore ? "+" : ""}` };
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
