import { href } from "react-router";
import { ButtonLink } from "../../../ui/button.tsx";
import { ConfirmDrawer } from "../../../ui/confirm-drawer.tsx";
import { FormErrors } from "../../../ui/form-errors.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { isolate } from "../../../ui/isolate.ts";
import { Panel } from "../../../ui/panel.tsx";
import { useTranslation } from "../../../ui/translation.tsx";
import { roleCan } from "../../access/organization-permissions.ts";
import { OrganizationLogo } from "../organization-logo.tsx";
import type { OrganizationFrame } from "../organization-page.server.ts";
import { OrganizationDeletionPanel } from "./organization-deletion-panel.tsx";
import { OrganizationForm } from "./organization-form.tsx";
import { PermissionMatrix } from "./permission-matrix.tsx";

type OrganizationSettingsProps = {
  frame: OrganizationFrame;
  /** False when no pictures can be stored. */
  hasLogos: boolean;
  result: { values: Record<string, string>; errors: Record<string, string[]> } | undefined;
};

/** Name, slug and logo for those who may change them; what each role can do; the buttons to leave and to delete. */
export function OrganizationSettings({ frame, hasLogos, result }: OrganizationSettingsProps) {
  const { t } = useTranslation("organizations");
  const { id, name, slug, logo, role, version } = frame;
  const isOpen = !frame.disabledAt && !frame.deletionDueAt;
  const mayUpdate = roleCan(role, "organization", "update") && isOpen;
  return (
    <div className="grid gap-6">
      {!mayUpdate && <FormErrors errors={result?.errors[""]} />}
      {mayUpdate && (
        <Panel title={t("settings.profile")} intro={t("settings.slugChange")}>
          <OrganizationForm
            key={version}
            values={result?.values.intent === "save" ? result.values : frame}
            result={result}
            organizationId={id}
            submitLabel={t("settings.save")}
          >
            <input type="hidden" name="version" value={version} />
          </OrganizationForm>
        </Panel>
      )}
      {mayUpdate && hasLogos && (
        <Panel
          title={t("settings.logo")}
          intro={t("settings.logoHint")}
          action={
            <ButtonLink variant="secondary" to={href("/app/organizations/:slug/logo", { slug })}>
              <Icon name="image-up" className="size-4" />
              {t("settings.changeLogo")}
            </ButtonLink>
          }
        >
          <OrganizationLogo id={id} name={name} logo={logo} size="lg" />
        </Panel>
      )}
      <PermissionMatrix />
      <Panel title={t("settings.leave")} intro={t("settings.leaveHint")}>
        <FormErrors errors={result?.errors.leave} />
        {role === "owner" && <p className="text-sm text-muted">{t("settings.transferHint")}</p>}
        <div>
          <ConfirmDrawer
            intent="leave"
            icon="log-out"
            trigger={t("settings.leave")}
            text={t("settings.leaveText", { name: isolate(name) })}
            isDestructive
          />
        </div>
      </Panel>
      {roleCan(role, "organization", "delete") && (isOpen || frame.deletionDueAt) && (
        <OrganizationDeletionPanel
          name={name}
          deletionDueAt={frame.deletionDueAt}
          result={result}
        />
      )}
    </div>
  );
}
