import { Badge, QuietState } from "../../ui/text/badge.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Delivery } from "./delivery.ts";
import { LOCAL_INBOX, type MAIL_STATES } from "./states.ts";

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

/** The columns that tell the outcome of a mail. */
export type MailOutcome = {
  state: MailState;
  delivery: Delivery | null;
  providerId: string | null;
};

/** What became of a mail; until that is known, the state of its sending. */
export function MailBadge({ mail }: { mail: MailOutcome }) {
  const { t } = useTranslation("logs");
  const { state, delivery } = mail;
  if (isInLocalInbox(mail)) return <QuietState>{t("mail.localInbox")}</QuietState>;
  const outcome = delivery ?? state;
  const text = delivery ? t(`mail.deliveries.${delivery}`) : t(`mail.states.${state}`);
  if (outcome === "sent" || outcome === "delivered") return <QuietState>{text}</QuietState>;
  return <Badge tone={TONES[outcome]}>{text}</Badge>;
}

/** True for a mail that is not sent: without a Resend key it stays in the local inbox. */
export function isInLocalInbox({ providerId }: Pick<MailOutcome, "providerId">): boolean {
  return providerId === LOCAL_INBOX;
}
