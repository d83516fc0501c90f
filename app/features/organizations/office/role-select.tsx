import type { ComponentProps } from "react";
import { Select } from "../../../ui/forms/select.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { ORGANIZATION_ROLES } from "../../access/role-names.ts";

/** A select of the roles, the lowest first. */
export function RoleSelect(select: ComponentProps<typeof Select>) {
  const { t } = useTranslation("manager-organizations");
  return (
    <Select {...select}>
      {ORGANIZATION_ROLES.toReversed().map((role) => (
        <option key={role} value={role}>
          {t(`roles.${role}`)}
        </option>
      ))}
    </Select>
  );
}
