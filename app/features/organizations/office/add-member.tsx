import type { ComponentProps } from "react";
import { ConfirmDrawer } from "../../../ui/confirm-drawer.tsx";
import { EmailField, Field } from "../../../ui/field.tsx";
import { type RefusedForm, refusedFor } from "../../../ui/refused-form.ts";
import { Select } from "../../../ui/select.tsx";
import { useTranslation } from "../../../ui/translation.tsx";
import { EMAIL_MAX_LENGTH } from "../../../values/limits.ts";
import { ORGANIZATION_ROLES } from "../../access/organization-permissions.ts";

/** Makes a user a member by e-mail. */
export function AddMember({ result }: { result: RefusedForm }) {
  const { t } = useTranslation("manager-organizations");
  const added = refusedFor(result, "add-member");
  return (
    <ConfirmDrawer
      intent="add-member"
      text={t("addMember.text")}
      refused={added}
      icon="user-plus"
      trigger={t("addMember.title")}
    >
      <EmailField
        name="email"
        label={t("email")}
        maxLength={EMAIL_MAX_LENGTH}
        defaultValue={added?.values.email}
        errors={added?.errors.email}
        required
      />
      <Field name="role" label={t("role")} errors={added?.errors.role}>
        {(control) => <RoleSelect {...control} defaultValue={added?.values.role ?? "member"} />}
      </Field>
    </ConfirmDrawer>
  );
}

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
