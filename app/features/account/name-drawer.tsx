import { TextField } from "../../ui/forms/field.tsx";
import { DrawerForm } from "../../ui/overlays/drawer.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { NAME_MAX_LENGTH } from "../../values/limits.ts";

type NameDrawerProps = {
  name: string;
  accountPath: string;
  result: { values: Record<string, string>; errors: Record<string, string[]> } | undefined;
};

export function NameDrawer({ name, accountPath, result }: NameDrawerProps) {
  const { t } = useTranslation("account");
  return (
    <DrawerForm title={t("name.title")} intent="change-name" closeTo={accountPath} result={result}>
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
    </DrawerForm>
  );
}
