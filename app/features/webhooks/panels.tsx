import { href } from "react-router";
import type { FeaturePanels, PanelProps } from "../../feature.ui.ts";
import { LinkPanel } from "../../ui/layout/link-panel.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { webhooksServer } from "./feature.server.ts";
import type { webhooks } from "./feature.ts";

/** Leads an owner to the webhooks of the organization. */
function OrganizationWebhooks({ subject }: PanelProps<"organizationSettings">) {
  const { t } = useTranslation("organizations");
  return (
    <LinkPanel
      title={t("settings.webhooks")}
      intro={t("settings.webhooksHint")}
      to={href("/app/organizations/:slug/webhooks", subject)}
      icon="webhook"
      link={t("settings.manageWebhooks")}
    />
  );
}

export const webhookPanels = {
  "organization-webhooks": OrganizationWebhooks,
} satisfies FeaturePanels<typeof webhooks, typeof webhooksServer>;
