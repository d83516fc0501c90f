import { type ReactNode, useEffect, useState } from "react";
import { Form, useNavigation } from "react-router";
import { Closable } from "../../ui/feedback/closed.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { CheckField } from "../../ui/forms/check-field.tsx";
import { ChoiceField } from "../../ui/forms/choice-field.tsx";
import { FormErrors } from "../../ui/forms/form-errors.tsx";
import { ProofFirst } from "../../ui/forms/proof.tsx";
import { SaveBar } from "../../ui/forms/save-bar.tsx";
import { useFirstErrorFocus } from "../../ui/forms/use-first-error-focus.ts";
import { useUnsaved } from "../../ui/forms/use-unsaved.ts";
import { FoldedPanel, Panel } from "../../ui/layout/panel.tsx";
import type { MessageReference } from "../../ui/text/message.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useCan } from "../access/use-can.tsx";
import type { Consequence } from "./access-consequences.ts";
import { Consequences } from "./access-consequences-list.tsx";
import { SIGN_UP_MODES } from "./choices.ts";
import { DomainsField } from "./domains-field.tsx";
import { type FormPartProps, isInUse } from "./form-part.ts";
import { TermsPanel } from "./terms-panel.tsx";

type AccessFormProps = Omit<FormPartProps, "errors"> & {
  result: { errors: Record<string, MessageReference[]> } | undefined;
  /** The consequences of a save that waits for the second press of the button. */
  consequences: readonly Consequence[] | undefined;
  submitLabel: string;
  /** True when `ADMIN_EMAILS` names someone, who can always sign up. */
  hasListedAdmins: boolean;
  /** Hidden fields, and elements beside the button. */
  children?: ReactNode;
};

/** Form of the rules by which people may create an account. Closed for managers who may not change them. */
export function AccessForm(props: AccessFormProps) {
  const { values, defaults, result, consequences, submitLabel } = props;
  const { hasListedAdmins, children } = props;
  const { t } = useTranslation("settings");
  const errors = result?.errors ?? {};
  const isBusy = useNavigation().formMethod === "POST";
  const form = useFirstErrorFocus(result);
  const part = { values, defaults, errors };
  const isReadOnly = !useCan()("settings", "update");
  const { isUnsaved: isChanged, handlers } = useUnsaved();
  const [typed, setTyped] = useState<string>();
  const isUnsaved = isChanged || result !== undefined;
  // Outside React: the form. A refused one is drawn again, filled as it was.
  useEffect(() => {
    if (result && form.current) setTyped(textOf(form.current));
  }, [result, form]);
  return (
    <Form
      ref={form}
      {...handlers}
      onChange={(event) => {
        handlers.onChange(event);
        setTyped(textOf(event.currentTarget));
      }}
      method="post"
      noValidate
      // A focused field never scrolls below the bar.
      className="grid gap-6 [&_:is(input,textarea)]:scroll-mb-24"
    >
      <FormErrors errors={errors[""]} />
      {!isReadOnly && <ProofFirst />}
      {isReadOnly && <Notice kind="info">{t("readOnly")}</Notice>}
      <Closable isClosed={isReadOnly}>
        <SignUpPanel {...part} />
        <EmailsPanel {...part} intro={t(hasListedAdmins ? "emails.intro" : "emails.introForAll")} />
        <TermsPanel {...part} />
      </Closable>
      {!isReadOnly && (
        <SaveBar isUnsaved={isUnsaved} errors={errors}>
          <Consequences typed={typed} answered={consequences} />
          <Button isBusy={isBusy}>{submitLabel}</Button>
          {children}
        </SaveBar>
      )}
    </Form>
  );
}

/** Returns a form's values as a URL has them. */
function textOf(form: HTMLFormElement): string {
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  return String(new URLSearchParams(fields));
}

/** Who may create an account. */
function SignUpPanel({ values, defaults, errors }: FormPartProps) {
  const { t } = useTranslation("settings");
  return (
    <Panel isBeside title={t("signUp.title")} intro={t("signUp.intro")}>
      <ChoiceField
        name="signUpMode"
        label={t("signUp.mode")}
        value={values.signUpMode ?? defaults.signUpMode}
        errors={errors.signUpMode}
        choices={SIGN_UP_MODES.map((mode) => ({
          value: mode,
          label: t(`signUp.${mode}`),
          hint: [
            t(`signUp.hint.${mode}`),
            mode === defaults.signUpMode && mode === values.signUpMode && t("signUp.asInstalled"),
          ]
            .filter(Boolean)
            .join(" "),
          children: mode === "invitation" && (
            <CheckField
              name="organizationsAdmit"
              label={t("signUp.organizationsAdmit")}
              hint={t("signUp.organizationsAdmitHint")}
              errors={errors.organizationsAdmit}
              defaultChecked={values.organizationsAdmit === "yes"}
            />
          ),
        }))}
      />
    </Panel>
  );
}

function EmailsPanel({ values, errors, intro }: FormPartProps & { intro: string }) {
  const { t } = useTranslation("settings");
  return (
    <FoldedPanel
      title={t("emails.title")}
      intro={intro}
      isOpen={isInUse({ values, errors }, "allowedDomains", "blockedDomains")}
    >
      <DomainsField
        name="allowedDomains"
        label={t("emails.allowed")}
        hint={t("emails.allowedHint")}
        value={values.allowedDomains}
        errors={errors.allowedDomains}
      />
      <DomainsField
        name="blockedDomains"
        label={t("emails.blocked")}
        hint={t("emails.blockedHint")}
        value={values.blockedDomains}
        errors={errors.blockedDomains}
      />
    </FoldedPanel>
  );
}
