import { ActionMenu, type MenuQuestion } from "../../../ui/action-menu.tsx";
import { ConfirmDrawer } from "../../../ui/confirm-drawer.tsx";
import { EmailField, Field } from "../../../ui/field.tsx";
import { type RefusedForm, refusedFor } from "../../../ui/refused-form.ts";
import { Select } from "../../../ui/select.tsx";
import { useTranslation } from "../../../ui/translation.tsx";
import { EMAIL_MAX_LENGTH } from "../../../values/limits.ts";
import { ORGANIZATION_ROLES } from "../../access/organization-permissions.ts";
import { personOption } from "../person-option.ts";
import type { OrganizationMember } from "./organization-panels.tsx";

type RoleFieldProps = { name: string; refused: RefusedForm };

function RoleField({ name, refused }: RoleFieldProps) {
  const { t } = useTranslation("manager-organizations");
  return (
    <Field name={name} label={t("role")} errors={refused?.errors[name]}>
      {(control) => (
        <Select {...control} defaultValue={refused?.values[name] ?? "member"}>
          {ORGANIZATION_ROLES.toReversed().map((role) => (
            <option key={role} value={role}>
              {t(`roles.${role}`)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

type MemberFieldProps = RoleFieldProps & { label: string; members: OrganizationMember[] };

function MemberField({ name, label, members, refused }: MemberFieldProps) {
  const { t } = useTranslation("manager-organizations");
  return (
    <Field name={name} label={label} errors={refused?.errors[name]}>
      {(control) => (
        <Select {...control} defaultValue={refused?.values[name] ?? ""}>
          <option value="">{t("choose.member")}</option>
          {members.map((member) => (
            <option key={member.id} value={member.id}>
              {personOption(member, members)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

type MemberControlsProps = {
  members: OrganizationMember[];
  result: RefusedForm;
};

/** Adds and removes members, changes their roles and transfers the ownership. */
export function MemberControls({ members, result }: MemberControlsProps) {
  const { t } = useTranslation("manager-organizations");
  const changed = refusedFor(result, "set-role");
  const transferred = refusedFor(result, "transfer");
  const removed = refusedFor(result, "remove-member");
  const questions = [
    {
      intent: "set-role",
      icon: "pencil",
      title: t("setRole.title"),
      text: t("setRole.text"),
      refused: changed,
      children: (
        <>
          <MemberField name="member" label={t("memberField")} members={members} refused={changed} />
          <RoleField name="newRole" refused={changed} />
        </>
      ),
    },
    {
      intent: "transfer",
      icon: "key-round",
      title: t("transfer.title"),
      text: t("transfer.text"),
      refused: transferred,
      children: (
        <MemberField
          name="newOwner"
          label={t("transfer.field")}
          members={members}
          refused={transferred}
        />
      ),
    },
    {
      intent: "remove-member",
      icon: "x",
      title: t("removeMember.title"),
      text: t("removeMember.text"),
      refused: removed,
      children: (
        <MemberField name="removed" label={t("memberField")} members={members} refused={removed} />
      ),
    },
  ] satisfies MenuQuestion[];
  return (
    <div className="flex gap-2">
      <AddMember result={result} />
      <ActionMenu label={t("menus.members")} isFramed questions={questions} />
    </div>
  );
}

/** Makes a user a member by e-mail. */
function AddMember({ result }: Pick<MemberControlsProps, "result">) {
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
      <RoleField name="role" refused={added} />
    </ConfirmDrawer>
  );
}
