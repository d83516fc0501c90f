import { Form } from "react-router";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDrawer } from "../../../ui/confirm-drawer.tsx";
import { Field, inputClass, TextField } from "../../../ui/field.tsx";
import { isolate } from "../../../ui/isolate.ts";
import type { MessageReference } from "../../../ui/message.tsx";
import { Select } from "../../../ui/select.tsx";
import { useTranslation } from "../../../ui/translation.tsx";
import { useCssId } from "../../../ui/use-css-id.ts";
import { NAME_MAX_LENGTH, ORGANIZATION_GRACE_DAYS } from "../../../values/limits.ts";
import { ActionMenu, ActionMenuItem } from "../action-menu.tsx";
import { REASON_MAX_LENGTH } from "../organization-limits.ts";
import { SlugField } from "../slug-field.tsx";

/** Values and errors of a refused form. */
export type OrganizationFormResult =
  | { values: Record<string, string>; errors: Record<string, MessageReference[]> }
  | undefined;

type ControlProps = { name: string; result: OrganizationFormResult };

/** Returns the result when it is about the form with this intent. */
export function refusedFor(result: OrganizationFormResult, intent: string): OrganizationFormResult {
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
 * A menu that disables or deletes the organization. The drawers are outside of the menu, because a refused form is shown
 * when the menu is closed.
 */
export function OrganizationMenu({ name, result, mayDisable, mayDelete }: MenuProps) {
  const { t } = useTranslation("manager-organizations");
  const id = useCssId();
  const [disable, deletion] = [`${id}-disable`, `${id}-delete`];
  if (!mayDisable && !mayDelete) return null;
  return (
    <>
      <ActionMenu label={t("menus.organization")} isFramed>
        {mayDisable && (
          <ActionMenuItem drawer={disable} icon="ban" isDestructive>
            {t("disable.title")}
          </ActionMenuItem>
        )}
        {mayDelete && (
          <ActionMenuItem drawer={deletion} icon="trash-2" isDestructive>
            {t("delete.title")}
          </ActionMenuItem>
        )}
      </ActionMenu>
      {mayDisable && <DisableDrawer id={disable} name={name} result={result} />}
      {mayDelete && <DeleteDrawer id={deletion} name={name} result={result} />}
    </>
  );
}

/** Disables the organization with a reason that its members see. */
function DisableDrawer({ id, name, result }: ControlProps & { id: string }) {
  const { t } = useTranslation("manager-organizations");
  const refused = refusedFor(result, "disable");
  return (
    <ConfirmDrawer
      openedById={id}
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

/** Starts the deletion with its grace period, after the name was typed. */
function DeleteDrawer({ id, name, result }: ControlProps & { id: string }) {
  const { t } = useTranslation("manager-organizations");
  const refused = refusedFor(result, "delete");
  return (
    <ConfirmDrawer
      openedById={id}
      intent="delete"
      text={t("delete.text", { name: isolate(name), count: ORGANIZATION_GRACE_DAYS })}
      refused={refused}
      isDestructive
      icon="trash-2"
      trigger={t("delete.title")}
    >
      <TextField
        name="typedName"
        label={t("delete.typedName")}
        dir="auto"
        autoComplete="off"
        maxLength={2 * NAME_MAX_LENGTH}
        defaultValue={refused?.values.typedName}
        errors={refused?.errors.typedName}
        required
      />
    </ConfirmDrawer>
  );
}

export function RestoreControl() {
  const { t } = useTranslation("manager-organizations");
  return (
    <Form method="post">
      <Button variant="secondary" isSmall name="intent" value="restore">
        {t("restore")}
      </Button>
    </Form>
  );
}

export function EnableControl() {
  const { t } = useTranslation("manager-organizations");
  return (
    <Form method="post">
      <Button variant="secondary" isSmall name="intent" value="enable">
        {t("enable")}
      </Button>
    </Form>
  );
}

type RepositoryControlsProps = {
  repositories: { id: string; name: string }[];
  result: OrganizationFormResult;
};

/** Shares repositories into the organization, and ends that. */
export function RepositoryControls({ repositories, result }: RepositoryControlsProps) {
  const { t } = useTranslation("manager-organizations");
  const end = `${useCssId()}-end`;
  const shared = refusedFor(result, "share");
  const unshared = refusedFor(result, "unshare");
  return (
    <div className="flex gap-2">
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
        <>
          <ActionMenu label={t("menus.repositories")} isFramed>
            <ActionMenuItem drawer={end} icon="x">
              {t("unshare.title")}
            </ActionMenuItem>
          </ActionMenu>
          <ConfirmDrawer
            openedById={end}
            intent="unshare"
            icon="x"
            text={t("unshare.text")}
            refused={unshared}
            trigger={t("unshare.title")}
          >
            <Field
              name="repository"
              label={t("unshare.field")}
              errors={unshared?.errors.repository}
            >
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
        </>
      )}
    </div>
  );
}
