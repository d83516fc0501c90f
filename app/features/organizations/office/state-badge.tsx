import { Badge, QuietState } from "../../../ui/text/badge.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import type { OrganizationState } from "./list-options.ts";

const TONES: Record<Exclude<OrganizationState, "active">, string> = {
  disabled: "border-warning-line bg-warning-fill",
  deletion: "border-danger-line bg-danger-fill",
};

export function StateBadge({ state }: { state: OrganizationState }) {
  const { t } = useTranslation("manager-organizations");
  if (state === "active") return <QuietState>{t("states.active")}</QuietState>;
  return <Badge tone={TONES[state]}>{t(`states.${state}`)}</Badge>;
}
