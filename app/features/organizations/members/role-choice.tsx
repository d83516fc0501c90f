import { Badge } from "../../../ui/badge.tsx";
import { useTranslation } from "../../../ui/translation.tsx";
import { useCssId } from "../../../ui/use-css-id.ts";
import type { OrganizationRole } from "../../access/organization-permissions.ts";

type RoleChoiceProps = {
  roles: readonly OrganizationRole[];
  /** The chosen role. */
  value: OrganizationRole;
  /** The role that a member has now; undefined for an invitation. */
  current?: OrganizationRole;
};

/** Radio buttons for a role, each with what it may do. */
export function RoleChoice({ roles, value, current }: RoleChoiceProps) {
  const { t } = useTranslation("organizations");
  const id = useCssId();
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-sm font-medium">{t("membersList.role")}</legend>
      {roles.map((role) => (
        <div key={role} className="flex gap-3 text-sm">
          <input
            type="radio"
            name="role"
            value={role}
            id={`${id}-${role}`}
            aria-describedby={`${id}-${role}-hint`}
            defaultChecked={role === value}
            className="mt-[calc((1lh-1.25rem)/2)] size-5 shrink-0"
          />
          <div className="grid gap-1">
            <label
              htmlFor={`${id}-${role}`}
              className="flex items-center gap-2 text-sm font-medium"
            >
              {t(`roles.${role}`)}
              {role === current && (
                <span className="-my-1">
                  <Badge tone="border-line bg-sunken">{t("membersList.current")}</Badge>
                </span>
              )}
            </label>
            <p id={`${id}-${role}-hint`} className="text-sm text-muted">
              {t(`roleHints.${role}`)}
            </p>
          </div>
        </div>
      ))}
    </fieldset>
  );
}
