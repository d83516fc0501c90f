import { Badge, QuietState } from "../../ui/text/badge.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { ShownDelivery, ShownWebhook } from "./webhooks.server.ts";

const WARNING = "border-warning-line bg-warning-fill";
const DANGER = "border-danger-line bg-danger-fill";

export function WebhookState({ state }: Pick<ShownWebhook, "state">) {
  const { t } = useTranslation("webhooks");
  if (state === "active") return <QuietState>{t("state.active")}</QuietState>;
  return <Badge tone={state === "failed" ? DANGER : WARNING}>{t(`state.${state}`)}</Badge>;
}

/** A delivery that waits after a failed try is red. */
export function DeliveryState({ state, tries }: Pick<ShownDelivery, "state" | "tries">) {
  const { t } = useTranslation("webhooks");
  if (state === "delivered") return <QuietState>{t("delivery.delivered")}</QuietState>;
  if (state === "skipped") {
    return <Badge tone="border-line bg-sunken">{t("delivery.skipped")}</Badge>;
  }
  return <Badge tone={tries > 0 ? DANGER : WARNING}>{t("delivery.waiting")}</Badge>;
}
