import { Badge, QuietState } from "../../ui/text/badge.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Delivery } from "./delivery.ts";
import type { MAIL_STATES } from "./states.ts";

export type MailState = (typeof MAIL_STATES)[number];

/** What became of a mail, as far as it is known. */
type Outcome = MailState | Delivery;

const WARNING = "border-warning-line bg-warning-fill";
const DANGER = "border-danger-line bg-danger-fill";
const TONES: Record<Exclude<Outcome, "sent" | "delivered">, string> = {
  waiting: WARNING,
  expired: "border-line bg-sunken",
  failed: DANGER,
  delayed: WARNING,
  bounced: DANGER,
  suppressed: DANGER,
  complained: WARNING,
};

type MailBadgeProps = { state: MailState; delivery: Delivery | null };

/** What became of a mail; until that is known, the state of its sending. */
export function MailBadge({ state, delivery }: MailBadgeProps) {
  const { t } = useTranslation("logs");
  const outcome = delivery ?? state;
  const text = delivery ? t(`mail.deliveries.${delivery}`) : t(`mail.states.${state}`);
  if (outcome === "sent" || outcome === "delivered") return <QuietState>{text}</QuietState>;
  return <Badge tone={TONES[outcome]}>{text}</Badge>;
}
