import { Badge } from "../../ui/badge.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import type { MAIL_STATES } from "./states.ts";

export type MailState = (typeof MAIL_STATES)[number];

const TONES: Record<MailState, string> = {
  waiting: "border-warning-line bg-warning-fill",
  sent: "border-success-line bg-success-fill",
  expired: "border-line bg-sunken",
  failed: "border-danger-line bg-danger-fill",
};

/** The delivery state of a mail. */
export function MailBadge({ state }: { state: MailState }) {
  const { t } = useTranslation("logs");
  return <Badge tone={TONES[state]}>{t(`mail.states.${state}`)}</Badge>;
}
