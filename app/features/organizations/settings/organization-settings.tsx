import type { ReactNode } from "react";
import { href } from "react-router";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import { ConflictNotice } from "../../../ui/forms/conflict-notice.tsx";
import { FormErrors } from "../../../ui/forms/form-errors.tsx";
import { useVersioned } from "../../../ui/forms/use-versioned.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ConfirmDrawer } from "../../../ui/overlays/confirm-drawer.tsx";
import { Icon } from "../../../ui/text/icon.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { WithOwnText } from "../../../ui/text/with-own-text.tsx";
import { roleCan } from "../../access/organization-permissions.ts";
import { OrganizationLogo } from "../organization-logo.tsx";
import type { OrganizationFrame } from "../organization-page.server.ts";
import { OrganizationDeletionPanel } from "./organization-deletion-panel.tsx";
import { OrganizationForm } from "./organization-form.tsx";
import { PermissionMatrix } from "./permission-matrix.tsx";

/** What another member has saved meanwhile. */
export type TheirProfile = { name: string; slug: string; version: number };

type OrganizationSettingsProps = {
  frame: OrganizationFrame;
  hasLogos: boolean;
  result: { values: Record<string, string>; errors: Record<string, string[]> } | undefined;
  theirs: TheirProfile | undefined;
  /** What features draw here while the organization is open. */
  children: ReactNode;
};

/** Name, slug and logo for those who may change them; what each role can do; the buttons to leave and to delete. */
export function OrganizationSettings(props: OrganizationSettingsProps) {
  const { frame, hasLogos, result, theirs, children } = props;
  const { t } = useTranslation("organizations");
  const { id, name, slug, logo, role } = frame;
  const isOpen = !frame.disabledAt && !frame.deletionDueAt;
  const mayUpdate = roleCan(role, "organization", "update") && isOpen;
  return (
    <div className="grid gap-6">
      {!mayUpdate && <FormErrors errors={result?.errors[""]} />}
      {mayUpdate && <Profile frame={frame} result={result} theirs={theirs} />}
      {mayUpdate && hasLogos && (
        <Panel isBeside title={t("settings.logo")} intro={t("settings.logoHint")}>
          <div className="flex flex-wrap items-center gap-4">
            <OrganizationLogo id={id} name={name} logo={logo} size="lg" />
            <ButtonLink
              variant="secondary"
              isSmall
              to={href("/app/organizations/:slug/logo", { slug })}
            >
              <Icon name="image-up" className="size-4" />
              {t("settings.changeLogo")}
            </ButtonLink>
          </div>
        </Panel>
      )}
      {isOpen && children}
      <PermissionMatrix />
      <Panel isBeside title={t("settings.leave")} intro={t("settings.leaveHint")}>
        <FormErrors errors={result?.errors.leave} />
        {role === "owner" && <p className="text-sm text-muted">{t("settings.transferHint")}</p>}
        <div>
          <ConfirmDrawer
            intent="leave"
            needsProof
            icon="log-out"
            trigger={t("settings.leave")}
            text={
              <WithOwnText
                text={(value) => t("settings.leaveText", { name: value })}
                value={name}
              />
            }
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

type ProfileProps = Pick<OrganizationSettingsProps, "frame" | "result" | "theirs">;

/** Name and slug. */
function Profile({ frame, result, theirs }: ProfileProps) {
  const { t } = useTranslation("organizations");
  const { id, slug } = frame;
  const isTyped = result?.values.intent === "save";
  const answer = isTyped ? { values: result.values, theirs } : undefined;
  const { typed, base, field, overwrite } = useVersioned(frame, answer);
  return (
    <Panel isBeside title={t("settings.profile")} intro={t("settings.slugChange")}>
      {theirs && (
        <ConflictNotice
          discardHref={href("/app/organizations/:slug/settings", { slug })}
          fields={[
            { label: t("name"), theirs: theirs.name, yours: typed?.name },
            { label: t("slug"), theirs: theirs.slug, yours: typed?.slug },
          ]}
        />
      )}
      <OrganizationForm
        key={base}
        values={typed ?? frame}
        result={result}
        organizationId={id}
        submitLabel={overwrite ?? t("settings.save")}
      >
        {field}
      </OrganizationForm>
    </Panel>
  );
}
