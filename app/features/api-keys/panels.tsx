import { href } from "react-router";
import type { FeaturePanels, PanelProps } from "../../feature.ui.ts";
import { ClosableLink } from "../../ui/feedback/closed.tsx";
import { buttonClass } from "../../ui/forms/button.tsx";
import { LinkPanel } from "../../ui/layout/link-panel.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { StepCard } from "../../ui/layout/step-card.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { ShownKey } from "./api-key-facts.tsx";
import type { apiKeysServer } from "./feature.server.ts";
import type { apiKeys } from "./feature.ts";
import { keysPath } from "./keys-path.ts";
import { ManagedKeysPanel } from "./managed-keys-panel.tsx";

/** Leads to the keys of the own account. */
function OwnKeys({ subject }: PanelProps<"accountPage">) {
  const { t } = useTranslation("account");
  return (
    <Panel
      title={t("apiKeys.title")}
      intro={t("apiKeys.intro")}
      action={
        <ClosableLink to={keysPath(subject.area)} className={buttonClass("secondary", "", true)}>
          {t("apiKeys.manage")}
        </ClosableLink>
      }
    />
  );
}

/** Leads an owner to the keys of the organization. */
function OrganizationKeys({ subject }: PanelProps<"organizationSettings">) {
  const { t } = useTranslation("organizations");
  return (
    <LinkPanel
      title={t("settings.apiKeys")}
      intro={t("settings.apiKeysHint")}
      to={href("/app/organizations/:slug/keys", subject)}
      icon="key-round"
      link={t("settings.manageApiKeys")}
    />
  );
}

/** The keys that a user has made, for managers. */
function KeysOfUser({ subject, shown, now }: PanelProps<"userPage", ShownKey[]>) {
  return shown.length > 0 && <ManagedKeysPanel userId={subject.id} keys={shown} now={now} />;
}

/** Offers a first key to a person without one, outside organizations. */
function KeyStep({ subject, shown: hasKey }: PanelProps<"homeSteps", boolean>) {
  const { t } = useTranslation("app");
  if (hasKey || subject.organization) return null;
  return (
    <StepCard to={keysPath("app")} picture="key" title={t("home.steps.key")}>
      {t("home.steps.keyText")}
    </StepCard>
  );
}

export const apiKeyPanels = {
  "key-step": KeyStep,
  "own-keys": OwnKeys,
  "organization-keys": OrganizationKeys,
  "keys-of-user": KeysOfUser,
} satisfies FeaturePanels<typeof apiKeys, typeof apiKeysServer>;
