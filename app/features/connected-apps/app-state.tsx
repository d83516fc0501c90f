import { Badge, QuietState } from "../../ui/text/badge.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";

export function AppState({ disabled }: { disabled: boolean }) {
  const { t } = useTranslation("connected-apps");
  if (!disabled) return <QuietState>{t("office.on")}</QuietState>;
  return <Badge tone="border-warning-line bg-warning-fill">{t("office.off")}</Badge>;
}
