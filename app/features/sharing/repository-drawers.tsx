import { Form, useNavigation } from "react-router";
import { Button } from "../../ui/forms/button.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { type RefusedForm, refusedFor } from "../../ui/forms/refused-form.ts";
import { ConfirmDrawer } from "../../ui/overlays/confirm-drawer.tsx";
import { Drawer, DrawerActions } from "../../ui/overlays/drawer.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { useTranslation } from "../../ui/text/translation.tsx";

/** Shares a repository into the organization, by its name. */
export function ShareControl({ result }: { result: RefusedForm }) {
  const { t } = useTranslation("manager-organizations");
  const shared = refusedFor(result, "share");
  return (
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
  );
}

type UnshareDrawerProps = {
  repository: { name: string };
  organization: { name: string };
  /** The form's field for the one of them that is not the screen's own. */
  field: { name: "repository" | "organization"; value: string };
  /** URL of the page without the drawer. */
  closeTo: string;
};

/** Asks before the sharing of a repository ends. */
export function UnshareDrawer({ repository, organization, field, closeTo }: UnshareDrawerProps) {
  const { t } = useTranslation("manager-organizations");
  const common = useTranslation().t;
  const isBusy = useNavigation().formData?.get("intent") === "unshare";
  return (
    <Drawer
      title={t("unshare.title")}
      intro={t("unshare.text", {
        name: isolate(repository.name),
        organization: isolate(organization.name),
      })}
      closeTo={closeTo}
    >
      <Form method="post">
        <input type="hidden" {...field} />
        <DrawerActions closeTo={closeTo}>
          <Button isBusy={isBusy} name="intent" value="unshare">
            {common("actions.confirm")}
          </Button>
        </DrawerActions>
      </Form>
    </Drawer>
  );
}
