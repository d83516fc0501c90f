import { Field, TextField } from "../../../ui/forms/field.tsx";
import { type RefusedForm, refusedFor } from "../../../ui/forms/refused-form.ts";
import { ActionMenu, type MenuQuestion } from "../../../ui/overlays/action-menu.tsx";
import { ConfirmDrawer } from "../../../ui/overlays/confirm-drawer.tsx";
import { isolate } from "../../../ui/text/isolate.ts";
import { useTranslation } from "../../../ui/text/translation.tsx";
import {
  NAME_MAX_LENGTH,
  ORGANIZATION_GRACE_DAYS,
  REASON_MAX_LENGTH,
} from "../../../values/limits.ts";
import { SlugField } from "../slug-field.tsx";

type ControlProps = { name: string; result: RefusedForm };

type RenameProps = ControlProps & { slug: string; version: number };

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
      <SlugField
        label={t("slug")}
        hint={t("slugHint")}
        defaultValue={refused?.values.slug ?? slug}
        errors={refused?.errors.slug}
        required
      />
    </ConfirmDrawer>
  );
}

type MenuProps = ControlProps & { mayDisable: boolean; mayDelete: boolean };

/**
 * A menu that disables the organization, with a reason that its members see, and deletes it, after
 * its name was typed.
 */
export function OrganizationMenu({ name, result, mayDisable, mayDelete }: MenuProps) {
  const { t } = useTranslation("manager-organizations");
  if (!mayDisable && !mayDelete) return null;
  const disabled = refusedFor(result, "disable");
  const deleted = refusedFor(result, "delete");
  const disable = {
    intent: "disable",
    needsProof: true,
    icon: "ban",
    title: t("disable.title"),
    text: t("disable.text", { name: isolate(name) }),
    refused: disabled,
    isDestructive: true,
    children: <DisabledReasonField refused={disabled} />,
  } satisfies MenuQuestion;
  const deletion = {
    intent: "delete",
    icon: "trash-2",
    title: t("delete.title"),
    text: t("delete.text", { name: isolate(name), count: ORGANIZATION_GRACE_DAYS }),
    refused: deleted,
    isDestructive: true,
    needsProof: true,
    children: (
      <TextField
        name="typedName"
        label={t("delete.typedName")}
        dir="auto"
        autoComplete="off"
        maxLength={2 * NAME_MAX_LENGTH}
        defaultValue={deleted?.values.typedName}
        errors={deleted?.errors.typedName}
        required
      />
    ),
  } satisfies MenuQuestion;
  return (
    <ActionMenu
      label={t("menus.organization")}
      isFramed
      questions={[...(mayDisable ? [disable] : []), ...(mayDelete ? [deletion] : [])]}
    />
  );
}

function DisabledReasonField({ refused }: { refused: RefusedForm }) {
  const { t } = useTranslation("manager-organizations");
  return (
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
          className="input"
        />
      )}
    </Field>
  );
}
