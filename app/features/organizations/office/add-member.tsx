import { EmailField, Field } from "../../../ui/forms/field.tsx";
import { type RefusedForm, refusedFor } from "../../../ui/forms/refused-form.ts";
import { ConfirmDrawer } from "../../../ui/overlays/confirm-drawer.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { EMAIL_MAX_LENGTH } from "../../../values/limits.ts";
import { RoleSelect } from "./role-select.tsx";

/** Makes a user a member by e-mail. */
export function AddMember({ result }: { result: RefusedForm }) {
  const { t } = useTranslation("manager-organizations");
  const added = refusedFor(result, "add-member");
  return (
    <ConfirmDrawer
      intent="add-member"
      needsProof
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
