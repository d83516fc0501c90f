import { ChoiceField } from "../../../ui/forms/choice-field.tsx";
import { useCssId } from "../../../ui/layout/use-css-id.ts";
import { Badge } from "../../../ui/text/badge.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import type { OrganizationRole } from "../../access/role-names.ts";

type RoleChoiceProps = {
  roles: readonly OrganizationRole[];
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
