import { Icon } from "../../../ui/icon.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { ScrollRegion } from "../../../ui/scroll-region.tsx";
import { useTranslation } from "../../../ui/translation.tsx";
import {
  ORGANIZATION_ROLES,
  type OrganizationAction,
  type OrganizationResource,
  organizationStatements,
  roleCan,
} from "../../access/organization-permissions.ts";

const RESOURCES = Object.keys(organizationStatements) as OrganizationResource[];

/** The access table of organizations: each permission, and which roles have it. */
export function PermissionMatrix() {
  const { t } = useTranslation("organizations");
  return (
    <Panel title={t("settings.permissions")}>
      <ScrollRegion label={t("settings.permissions")}>
        <table className="w-full text-sm">
          <thead>
            <tr className="border-b border-line text-start text-muted">
              <th scope="col" className="py-2 pe-3 text-start font-medium">
                {t("settings.permission")}
              </th>
              {ORGANIZATION_ROLES.map((role) => (
                <th
                  key={role}
                  scope="col"
                  className="px-1 py-2 text-center font-medium wrap-normal max-sm:text-xs sm:px-3"
                >
                  {t(`roles.${role}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {RESOURCES.flatMap((resource) =>
              organizationStatements[resource].map((action) => (
                <PermissionRow key={`${resource}.${action}`} {...{ resource, action }} />
              )),
            )}
          </tbody>
        </table>
      </ScrollRegion>
    </Panel>
  );
}

type PermissionRowProps = {
  resource: OrganizationResource;
  action: OrganizationAction<OrganizationResource>;
};

function PermissionRow({ resource, action }: PermissionRowProps) {
  const { t } = useTranslation("organizations");
  // The access table has only actions of its own resources, so the text exists.
  const key = `permissions.${resource}.${action}` as "permissions.team.create";
  return (
    <tr className="border-b border-line last:border-0">
      <th scope="row" className="py-2 pe-3 text-start font-normal wrap-normal">
        {t(key)}
      </th>
      {ORGANIZATION_ROLES.map((role) => {
        const isAllowed = roleCan(role, resource, action as never);
        return (
          <td key={role} className="px-1 py-2 text-center sm:px-3">
            {isAllowed ? (
              <Icon name="check" className="mx-auto size-4 text-accent-ink" />
            ) : (
              <span aria-hidden="true" className="text-muted">
                –
              </span>
            )}
            <span className="sr-only">
              {t(isAllowed ? "settings.allowed" : "settings.notAllowed")}
            </span>
          </td>
        );
      })}
    </tr>
  );
}
