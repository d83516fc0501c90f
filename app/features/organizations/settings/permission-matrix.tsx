import { FoldedPanel } from "../../../ui/layout/panel.tsx";
import { PermissionTable } from "../../../ui/text/permission-table.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import {
  type OrganizationResource,
  organizationStatements,
  roleCan,
} from "../../access/organization-permissions.ts";
import { ORGANIZATION_ROLES } from "../../access/role-names.ts";

const RESOURCES = Object.keys(organizationStatements) as OrganizationResource[];

/** The access table of organizations: each permission, and which roles have it. */
export function PermissionMatrix() {
  const { t } = useTranslation("organizations");
  const permissions = RESOURCES.flatMap((resource) =>
    organizationStatements[resource].map((action) => ({
      key: `${resource}.${action}`,
      // The access table has only actions of its own resources, so the text exists.
      name: t(`permissions.${resource}.${action}` as "permissions.member.create"),
      isAllowed: ORGANIZATION_ROLES.map((role) => roleCan(role, resource, action as never)),
    })),
  );
  return (
    <FoldedPanel title={t("settings.permissions")}>
      <PermissionTable
        label={t("settings.permissions")}
        roles={ORGANIZATION_ROLES.map((role) => t(`roles.${role}`))}
        groups={[{ key: "all", permissions }]}
        texts={{
          permission: t("settings.permission"),
          allowed: t("settings.allowed"),
          notAllowed: t("settings.notAllowed"),
        }}
      />
    </FoldedPanel>
  );
}
