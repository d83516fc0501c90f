import { FoldedPanel } from "../../ui/layout/panel.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { PermissionTable } from "../../ui/text/permission-table.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { FRESH_MINUTES } from "../../values/limits.ts";
import { type Resource, roleCan, statements } from "../access/permissions.ts";
import { needsProof } from "../access/proof.ts";
import { ROLES } from "../access/role-names.ts";

const RESOURCES = Object.keys(statements) as Resource[];

/** The product has no passwords, so no role can do anything with this permission. */
const UNUSED = "set-password";

/** The table of permissions: what each role may do, by resource. */
export function RoleMatrix() {
  const { t } = useTranslation("settings");
  const { t: users } = useTranslation("users");
  return (
    <FoldedPanel title={t("roles.title")} intro={t("roles.intro")}>
      <p className="flex gap-2 text-sm text-muted">
        <Icon name="key-round" className="mt-[0.2em] size-3.5 shrink-0" />
        {t("roles.proof", { count: FRESH_MINUTES })}
      </p>
      <PermissionTable
        label={t("roles.title")}
        roles={ROLES.map((role) => users(`roles.${role}`))}
        groups={RESOURCES.map((resource) => ({
          key: resource,
          title: t(`roles.resources.${resource}`),
          permissions: statements[resource]
            .filter((action) => action !== UNUSED)
            .map((action) => ({
              key: action,
              name: <PermissionName resource={resource} action={action} />,
              isAllowed: ROLES.map((role) => roleCan(role, resource, action as never)),
            })),
        }))}
        texts={{
          permission: t("roles.permission"),
          allowed: t("roles.allowed"),
          notAllowed: t("roles.notAllowed"),
        }}
      />
    </FoldedPanel>
  );
}

type PermissionNameProps = { resource: Resource; action: string };

function PermissionName({ resource, action }: PermissionNameProps) {
  const { t } = useTranslation("settings");
  return (
    <>
      {/* The table has only actions of its own resources, so the text exists. */}
      {t(`roles.permissions.${resource}.${action}` as "roles.permissions.user.ban")}
      {needsProof(`${resource}.${action}`) && (
        // Keeps the icon on the line of the last word.
        <span className="whitespace-nowrap">
          {"\u00a0"}
          <Icon name="key-round" className="inline size-3.5 text-muted" />
          <span className="sr-only"> {t("roles.needsProof")}</span>
        </span>
      )}
    </>
  );
}
