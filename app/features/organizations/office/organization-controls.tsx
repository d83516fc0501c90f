import { Form } from "react-router";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDrawer } from "../../../ui/confirm-drawer.tsx";
import { Field, inputClass, TextField } from "../../../ui/field.tsx";
import { isolate } from "../../../ui/isolate.ts";
import type { MessageReference } from "../../../ui/message.tsx";
import { Select } from "../../../ui/select.tsx";
import { useTranslation } from "../../../ui/translation.tsx";
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from "../../../values/limits.ts";
import { ORGANIZATION_ROLES } from "../../access/organization-permissions.ts";
import { REASON_MAX_LENGTH, SLUG_MAX_LENGTH } from "../organization-limits.ts";
import type { OrganizationMember } from "./organization-panels.tsx";

/** Values and errors of a refused form. */
export type OrganizationFormResult =
  | { values: Record<string, string>; errors: Record<string, MessageReference[]> }
  | undefined;

type ControlProps = { name: string; result: OrganizationFormResult };

/** Returns the result when it is about the form with this intent. */
function refusedFor(result: OrganizationFormResult, intent: string): OrganizationFormResult {
  return result?.values.intent === intent ? result : undefined;
}

type RenameProps = ControlProps & { slug: string; version: number };

/** Changes name and slug. */
export function RenameControl({ name, slug, version, result }: RenameProps) {
  const { t } = useTranslation("manager-organizations");
  const refused = refusedFor(result, "rename");
  return (
    <ConfirmDrawer
      intent="rename"
      text={t("rename.text")}
      refused={refused}
      icon="pencil"
      trigger={t("rename.title")}
    >
      <input type="hidden" name="version" value={version} />
      <TextField
        name="name"
        label={t("name")}
        dir="auto"
        autoComplete="off"
        maxLength={NAME_MAX_LENGTH}
        defaultValue={refused?.values.name ?? name}
        errors={refused?.errors.name}
        required
      />
      <TextField
        name="slug"
        label={t("slug")}
        hint={t("slugHint")}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={SLUG_MAX_LENGTH}
        defaultValue={refused?.values.slug ?? slug}
        errors={refused?.errors.slug}
        required
      />
    </ConfirmDrawer>
  );
}

/** Disables the organization with a reason that its members see. */
export function DisableControl({ name, result }: ControlProps) {
  const { t } = useTranslation("manager-organizations");
  const refused = refusedFor(result, "disable");
  return (
    <ConfirmDrawer
      intent="disable"
      text={t("disable.text", { name: isolate(name) })}
      refused={refused}
      isDestructive
      icon="ban"
      trigger={t("disable.title")}
    >
      <Field
        name="reason"
        label={t("disabled.reason")}
        hint={t("disable.reasonHint")}
        errors={refused?.errors.reason}
      >
        {(control) => (
          <textarea
            {...control}
            dir="auto"
            rows={2}
            maxLength={REASON_MAX_LENGTH}
            defaultValue={refused?.values.reason}
            required
            className={inputClass}
          />
        )}
      </Field>
    </ConfirmDrawer>
  );
}

export function EnableControl() {
  const { t } = useTranslation("manager-organizations");
  return (
    <Form method="post">
      <Button variant="secondary" name="intent" value="enable">
        {t("enable")}
      </Button>
    </Form>
  );
}

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
  const added = refusedFor(result, "add-member");
  const changed = refusedFor(result, "set-role");
  const transferred = refusedFor(result, "transfer");
  const removed = refusedFor(result, "remove-member");
  return (
    <div className="flex flex-wrap gap-3">
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
      <ConfirmDrawer
        intent="set-role"
        text={t("setRole.text")}
        refused={changed}
        trigger={t("setRole.title")}
      >
        <MemberField name="member" label={t("memberField")} members={members} refused={changed} />
        <RoleField name="newRole" refused={changed} />
      </ConfirmDrawer>
      <ConfirmDrawer
        intent="transfer"
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
        intent="remove-member"
        text={t("removeMember.text")}
        refused={removed}
        isDestructive
        trigger={t("removeMember.title")}
      >
        <MemberField name="removed" label={t("memberField")} members={members} refused={removed} />
      </ConfirmDrawer>
    </div>
  );
}

type RepositoryControlsProps = {
  repositories: { id: string; name: string }[];
  result: OrganizationFormResult;
};

/** Shares repositories into the organization, and ends that. */
export function RepositoryControls({ repositories, result }: RepositoryControlsProps) {
  const { t } = useTranslation("manager-organizations");
  const shared = refusedFor(result, "share");
  const unshared = refusedFor(result, "unshare");
  return (
    <div className="flex flex-wrap gap-3">
      <ConfirmDrawer
        intent="share"
        text={t("share.text")}
        refused={shared}
        icon="folder-plus"
        trigger={t("share.title")}
      >
        <TextField
          name="repositoryName"
          label={t("share.field")}
          hint={t("share.hint")}
          dir="auto"
          autoComplete="off"
          defaultValue={shared?.values.repositoryName}
          errors={shared?.errors.repositoryName}
          required
        />
      </ConfirmDrawer>
      {repositories.length > 0 && (
        <ConfirmDrawer
          intent="unshare"
          text={t("unshare.text")}
          refused={unshared}
          isDestructive
          trigger={t("unshare.title")}
        >
          <Field name="repository" label={t("unshare.field")} errors={unshared?.errors.repository}>
            {(control) => (
              <Select {...control} defaultValue={unshared?.values.repository ?? ""}>
                <option value="">{t("choose.repository")}</option>
                {repositories.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </ConfirmDrawer>
      )}
    </div>
  );
}
