import { Badge } from "../../ui/badge.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import type { Delivery } from "./delivery.ts";
import type { MAIL_STATES } from "./states.ts";

export type MailState = (typeof MAIL_STATES)[number];

const TONES: Record<MailState, string> = {
  waiting: "border-warning-line bg-warning-fill",
  sent: "border-success-line bg-success-fill",
  expired: "border-line bg-sunken",
  failed: "border-danger-line bg-danger-fill",
};

const DELIVERY_TONES: Record<Delivery, string> = {
  delayed: TONES.waiting,
  failed: TONES.failed,
  delivered: TONES.sent,
  bounced: TONES.failed,
  suppressed: TONES.failed,
  complained: TONES.waiting,
};

type MailBadgeProps = { state: MailState; delivery: Delivery | null };

/** What became of a mail; until that is known, the state of its sending. */
export function MailBadge({ state, delivery }: MailBadgeProps) {
  const { t } = useTranslation("logs");
  if (delivery) {
    return <Badge tone={DELIVERY_TONES[delivery]}>{t(`mail.deliveries.${delivery}`)}</Badge>;
  }
  return <Badge tone={TONES[state]}>{t(`mail.states.${state}`)}</Badge>;
}
