import { href } from "react-router";
import type { FeaturePanels, PanelProps } from "../../feature.ui.ts";
import { ClosableLink } from "../../ui/feedback/closed.tsx";
import { buttonClass } from "../../ui/forms/button.tsx";
import { LinkPanel } from "../../ui/layout/link-panel.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { ShownApp } from "./app-facts.tsx";
import type { ShownApproval } from "./approvals.server.ts";
import { ApprovalsPanel } from "./approvals-panel.tsx";
import { AppsOfUserPanel } from "./apps-of-user-panel.tsx";
import { appsPath } from "./apps-path.ts";
import type { connectedAppsServer } from "./feature.server.ts";
import type { connectedApps } from "./feature.ts";

/** Leads to the calls of apps that wait for the reader's approval. */
function HomeApprovals({ shown, now }: PanelProps<"home", ShownApproval[]>) {
  return <ApprovalsPanel approvals={shown} area="app" now={now} />;
}

/** Leads to the apps that know the user. */
function OwnApps({ subject }: PanelProps<"accountPage">) {
  const { t } = useTranslation("account");
  return (
    <Panel
      title={t("connectedApps.title")}
      intro={t("connectedApps.intro")}
      action={
        <ClosableLink to={appsPath(subject.area)} className={buttonClass("secondary", "", true)}>
          {t("connectedApps.manage")}
        </ClosableLink>
      }
    />
  );
}

/** Leads an owner to the apps of the organization, where some may be made or there are some. */
function OrganizationApps({ subject, shown }: PanelProps<"organizationSettings", boolean>) {
  const { t } = useTranslation("organizations");
  return (
    shown && (
      <LinkPanel
        title={t("settings.apps")}
        intro={t("settings.appsHint")}
        to={href("/app/organizations/:slug/apps", subject)}
        icon="log-in"
        link={t("settings.manageApps")}
      />
    )
  );
}

/** The apps that know a user, for managers. */
function AppsOfUser({ subject, shown, now }: PanelProps<"userPage", ShownApp[]>) {
  return shown.length > 0 && <AppsOfUserPanel userId={subject.id} apps={shown} now={now} />;
}

export const connectedAppPanels = {
  "home-approvals": HomeApprovals,
  "own-apps": OwnApps,
  "organization-apps": OrganizationApps,
  "apps-of-user": AppsOfUser,
} satisfies FeaturePanels<typeof connectedApps, typeof connectedAppsServer>;
