import { Form, Link, useNavigation } from "react-router";
import { NAME_MAX_LENGTH } from "../../http/limits.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Drawer } from "../../ui/drawer.tsx";
import { TextField } from "../../ui/field.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { useFirstErrorFocus } from "../../ui/use-first-error-focus.ts";

type NameDrawerProps = {
  name: string;
  accountPath: string;
  result: { values: Record<string, string>; errors: Record<string, string[]> } | undefined;
};

/** "Update your name". */
export function NameDrawer({ name, accountPath, result }: NameDrawerProps) {
  const { t } = useTranslation("account");
  const common = useTranslation().t;
  const isBusy = useNavigation().formData?.get("intent") === "change-name";
  const form = useFirstErrorFocus(result);
  return (
    <Drawer title={t("name.update")} closeTo={accountPath}>
      <Form ref={form} method="post" noValidate className="grid gap-4">
        <input type="hidden" name="intent" value="change-name" />
        <TextField
          name="name"
          label={t("name.label")}
          autoComplete="name"
          dir="auto"
          maxLength={NAME_MAX_LENGTH}
          defaultValue={result?.values.name ?? name}
          errors={result?.errors.name}
          autoFocus
          required
        />
        <div className="flex justify-end gap-3">
          <Link to={accountPath} replace preventScrollReset className={buttonClass("secondary")}>
            {common("actions.cancel")}
          </Link>
          <Button isBusy={isBusy}>{common("actions.save")}</Button>
        </div>
      </Form>
    </Drawer>
  );
}
