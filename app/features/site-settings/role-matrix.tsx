import { Icon } from "../../ui/icon.tsx";
import { Panel } from "../../ui/panel.tsx";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { needsProof, type Resource, ROLES, roleCan, statements } from "../access/permissions.ts";

const RESOURCES = Object.keys(statements) as Resource[];

/** The product has no passwords, so no role can do anything with this permission. */
const UNUSED = "set-password";

/** The table of permissions: what each role may do, by resource. */
export function RoleMatrix() {
  const { t } = useTranslation("settings");
  const { t: users } = useTranslation("users");
  return (
    <Panel title={t("roles.title")} intro={t("roles.intro")}>
      <p className="flex gap-2 text-sm text-muted">
        <Icon name="key-round" className="mt-[0.2em] size-3.5 shrink-0" />
        {t("roles.proof")}
      </p>
      <ScrollRegion label={t("roles.title")}>
        <table className="w-full text-sm">
          <thead className="sticky top-0">
            <tr className="border-b border-line text-muted">
              <th scope="col" className="py-2 text-start font-medium">
                {t("roles.permission")}
              </th>
              {ROLES.map((role) => (
                <th
                  key={role}
                  scope="col"
                  className="w-13 py-2 text-center font-medium wrap-normal max-sm:text-xs sm:w-28"
                >
                  {users(`roles.${role}`)}
                </th>
              ))}
            </tr>
          </thead>
          {RESOURCES.map((resource) => (
            <ResourceRows key={resource} resource={resource} />
          ))}
        </table>
      </ScrollRegion>
    </Panel>
  );
}

function ResourceRows({ resource }: { resource: Resource }) {
  const { t } = useTranslation("settings");
  const actions = statements[resource].filter((action) => action !== UNUSED);
  return (
    <tbody>
      <tr>
        <th
          scope="rowgroup"
          colSpan={ROLES.length + 1}
          className="pt-5 pb-1 text-start font-semibold"
        >
          {t(`roles.resources.${resource}`)}
        </th>
      </tr>
      {actions.map((action) => (
        <tr key={action} className="border-b border-line last:border-0">
          <th scope="row" className="py-2 text-start font-normal wrap-normal">
            {/* The table has only actions of its own resources, so the text exists. */}
            {t(`roles.permissions.${resource}.${action}` as "roles.permissions.user.ban")}
            {needsProof(resource, action) && (
              <>
                {/* Does not break the line, so that the icon never stands alone. */}
                {"\u00a0"}
                <Icon name="key-round" className="inline size-3.5 text-muted" />
                <span className="sr-only"> {t("roles.needsProof")}</span>
              </>
            )}
          </th>
          {ROLES.map((role) => (
            <Cell key={role} isAllowed={roleCan(role, resource, action as never)} />
          ))}
        </tr>
      ))}
    </tbody>
  );
}

function Cell({ isAllowed }: { isAllowed: boolean }) {
  const { t } = useTranslation("settings");
  return (
    <td className="py-2 text-center">
      {isAllowed ? (
        <Icon name="check" className="mx-auto size-4 text-accent-ink" />
      ) : (
        <span aria-hidden="true" className="text-muted">
          –
        </span>
      )}
      <span className="sr-only">{t(isAllowed ? "roles.allowed" : "roles.notAllowed")}</span>
    </td>
  );
}
