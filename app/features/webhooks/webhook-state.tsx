import { Badge, QuietState } from "../../ui/text/badge.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { ShownDelivery } from "./deliveries.server.ts";
import type { ShownWebhook } from "./webhooks.server.ts";

const WARNING = "border-warning-line bg-warning-fill";
const DANGER = "border-danger-line bg-danger-fill";

export function WebhookState({ state }: Pick<ShownWebhook, "state">) {
  const { t } = useTranslation("webhooks");
  if (state === "active") return <QuietState>{t("state.active")}</QuietState>;
  return <Badge tone={state === "failed" ? DANGER : WARNING}>{t(`state.${state}`)}</Badge>;
}

type DeliveryStateProps = Pick<ShownDelivery, "state"> & {
  /** True for the first waiting one, while its sender is at work. */
  isBeingSent: boolean;
  /** True when the receiver did not accept the last attempt. */
  wasRefused: boolean;
};

export function DeliveryState({ state, isBeingSent, wasRefused }: DeliveryStateProps) {
  const { t } = useTranslation("webhooks");
  if (state === "delivered") return <QuietState>{t("delivery.delivered")}</QuietState>;
  if (state === "skipped") {
    return <Badge tone="border-line bg-sunken">{t("delivery.skipped")}</Badge>;
  }
  if (isBeingSent) {
    return <Badge tone={WARNING}>{t(wasRefused ? "delivery.again" : "delivery.sending")}</Badge>;
  }
  if (wasRefused) return <Badge tone={DANGER}>{t("delivery.refused")}</Badge>;
  return <Badge tone={WARNING}>{t("delivery.waiting")}</Badge>;
}
