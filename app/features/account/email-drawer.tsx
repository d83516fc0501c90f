import { useMemo } from "react";
import { TextField } from "../../ui/forms/field.tsx";
import { DrawerForm } from "../../ui/overlays/drawer.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { EMAIL_MAX_LENGTH } from "../../values/limits.ts";

type EmailDrawerProps = {
  accountPath: string;
  /** New e-mail of a change that has not started or has expired. */
  newEmail: string;
  result: { values: Record<string, string>; errors: Record<string, string[]> } | undefined;
};

export function EmailDrawer({ accountPath, newEmail, result }: EmailDrawerProps) {
  const { t } = useTranslation("account");
  // Errors of a code whose step has expired are shown here too, because the change starts again here. One object for
  // each answer, because the drawer moves the focus for each new one.
  const refused = useMemo(() => {
    if (!result) return undefined;
    const fields = ["email", "", "code", "resend"];
    return { errors: { email: fields.flatMap((field) => result.errors[field] ?? []) } };
  }, [result]);
  return (
    <DrawerForm
      title={t("email.title")}
      intent="change-email"
      save={t("email.continue")}
      closeTo={accountPath}
      result={refused}
    >
      <TextField
        name="email"
        type="email"
        label={t("email.label")}
        hint={t("email.hint")}
        autoComplete="email"
        dir="ltr"
        maxLength={EMAIL_MAX_LENGTH}
        defaultValue={result?.values.email ?? newEmail}
        errors={refused?.errors.email}
        autoFocus
        required
      />
    </DrawerForm>
  );
}
