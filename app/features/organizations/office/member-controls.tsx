import { ConfirmDrawer } from "../../../ui/confirm-drawer.tsx";
import { Field, TextField } from "../../../ui/field.tsx";
import { isolate } from "../../../ui/isolate.ts";
import { Select } from "../../../ui/select.tsx";
import { useTranslation } from "../../../ui/translation.tsx";
import { useCssId } from "../../../ui/use-css-id.ts";
import { EMAIL_MAX_LENGTH } from "../../../values/limits.ts";
import { ORGANIZATION_ROLES } from "../../access/organization-permissions.ts";
import { ActionMenu, ActionMenuItem } from "../action-menu.tsx";
import { type OrganizationFormResult, refusedFor } from "./organization-controls.tsx";
import type { OrganizationMember } from "./organization-panels.tsx";

type RoleFieldProps = { name: string; refused: OrganizationFormResult };

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
          {members.map(({ id, name: own, email }) => (
            <option key={id} value={id}>
              {own ? t("choose.named", { name: isolate(own), email: isolate(email) }) : email}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

type MemberControlsProps = {
  members: OrganizationMember[];
  result: OrganizationFormResult;
};

/** Adds and removes members, changes their roles and transfers the ownership. */
export function MemberControls({ members, result }: MemberControlsProps) {
  const { t } = useTranslation("manager-organizations");
  const id = useCssId();
  const [role, transfer, remove] = [`${id}-role`, `${id}-transfer`, `${id}-remove`];
  const changed = refusedFor(result, "set-role");
  const transferred = refusedFor(result, "transfer");
  const removed = refusedFor(result, "remove-member");
  return (
    <div className="flex gap-2">
      <AddMember result={result} />
      <ActionMenu label={t("menus.members")} isFramed>
        <ActionMenuItem drawer={role} icon="pencil">
          {t("setRole.title")}
        </ActionMenuItem>
        <ActionMenuItem drawer={transfer} icon="key-round">
          {t("transfer.title")}
        </ActionMenuItem>
        <ActionMenuItem drawer={remove} icon="x">
          {t("removeMember.title")}
        </ActionMenuItem>
      </ActionMenu>
      <ConfirmDrawer
        openedById={role}
        intent="set-role"
        icon="pencil"
        text={t("setRole.text")}
        refused={changed}
        trigger={t("setRole.title")}
      >
        <MemberField name="member" label={t("memberField")} members={members} refused={changed} />
        <RoleField name="newRole" refused={changed} />
      </ConfirmDrawer>
      <ConfirmDrawer
        openedById={transfer}
        intent="transfer"
        icon="key-round"
        text={t("transfer.text")}
        refused={transferred}
        trigger={t("transfer.title")}
      >
        <MemberField
          name="newOwner"
          label={t("transfer.field")}
          members={members}
          refused={transferred}
        />
      </ConfirmDrawer>
      <ConfirmDrawer
        openedById={remove}
        intent="remove-member"
        icon="x"
        text={t("removeMember.text")}
        refused={removed}
        trigger={t("removeMember.title")}
      >
        <MemberField name="removed" label={t("memberField")} members={members} refused={removed} />
      </ConfirmDrawer>
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
      <TextField
        name="email"
        label={t("email")}
        type="email"
        dir="ltr"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={EMAIL_MAX_LENGTH}
        defaultValue={added?.values.email}
        errors={added?.errors.email}
        required
      />
      <RoleField name="role" refused={added} />
    </ConfirmDrawer>
  );
}
