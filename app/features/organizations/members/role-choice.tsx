import { Badge } from "../../../ui/badge.tsx";
import { ChoiceField } from "../../../ui/choice-field.tsx";
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
    <ChoiceField
      id={id}
      name="role"
      label={t("membersList.role")}
      value={value}
      choices={roles.map((role) => ({
        value: role,
        label: t(`roles.${role}`),
        hint: t(`roleHints.${role}`),
        badge: role === current && (
          <Badge tone="border-line bg-sunken">{t("membersList.current")}</Badge>
        ),
      }))}
    />
  );
}
