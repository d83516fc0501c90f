import { Badge } from "../../../ui/badge.tsx";
import { useTranslation } from "../../../ui/translation.tsx";
import type { OrganizationState } from "./list-options.ts";

const TONES: Record<OrganizationState, string> = {
  active: "border-line bg-sunken",
  disabled: "border-danger-line bg-danger-fill",
  deletion: "border-warning-line bg-warning-fill",
};

export function StateBadge({ state }: { state: OrganizationState }) {
  const { t } = useTranslation("manager-organizations");
  return <Badge tone={TONES[state]}>{t(`states.${state}`)}</Badge>;
}
