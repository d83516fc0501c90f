import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "../../ui/button.tsx";
import { FormErrors } from "../../ui/form-errors.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { useFirstErrorFocus } from "../../ui/use-first-error-focus.ts";
import { ChoiceField } from "./choice-field.tsx";
import { SIGN_UP_MODES, type SignUpMode } from "./sign-up-modes.ts";

type AccessFormProps = {
  values: { signUpMode?: string | null };
  /** The environment's values, which hold for what is not set. */
  defaults: { signUpMode: SignUpMode };
  result: { errors: Record<string, string[]> } | undefined;
  submitLabel: string;
  /** Hidden fields, and elements beside the button. */
  children?: ReactNode;
};

/** Form of the rules by which people may create an account. */
export function AccessForm(props: AccessFormProps) {
  const { values, defaults, result, submitLabel, children } = props;
  const { t } = useTranslation("settings");
  const isBusy = useNavigation().formMethod === "POST";
  const form = useFirstErrorFocus(result);
  return (
    <Form ref={form} method="post" noValidate className="grid gap-6">
      <FormErrors errors={result?.errors[""]} />
      <Panel title={t("signUp.title")} intro={t("signUp.intro")}>
        <ChoiceField
          name="signUpMode"
          label={t("signUp.mode")}
          value={values.signUpMode ?? ""}
          errors={result?.errors.signUpMode}
          choices={[
            {
              value: "",
              label: t("default"),
              hint: t(`signUp.default.${defaults.signUpMode}`),
            },
            ...SIGN_UP_MODES.map((mode) => ({
              value: mode,
              label: t(`signUp.${mode}`),
              hint: t(`signUp.hint.${mode}`),
            })),
          ]}
        />
      </Panel>
      <div className="flex flex-wrap gap-3">
        <Button isBusy={isBusy}>{submitLabel}</Button>
        {children}
      </div>
    </Form>
  );
}
