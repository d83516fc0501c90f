import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button, buttonClass } from "../../ui/button.tsx";
import { useIsClosed } from "../../ui/closed.tsx";
import { TextField } from "../../ui/field.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { useFirstErrorFocus } from "../../ui/use-first-error-focus.ts";
import { EMAIL_MAX_LENGTH } from "../../values/limits.ts";
import { profileRowClass } from "./profile-row.ts";

type EmailFormProps = {
  accountPath: string;
  /** New e-mail of a change that has not started or has expired. */
  newEmail: string;
  result: { values: Record<string, string>; errors: Record<string, string[]> } | undefined;
  /** The current e-mail. */
  children: ReactNode;
};

/**
 * The current e-mail with "Change email": a form that unfolds below, also without JavaScript, and is open when it has a
 * message.
 */
export function EmailForm({ accountPath, newEmail, result, children }: EmailFormProps) {
  const { t } = useTranslation("account");
  const common = useTranslation().t;
  const isBusy = useNavigation().formData?.get("intent") === "change-email";
  const form = useFirstErrorFocus(result);
  // Errors of a code whose step has expired are shown here too, because the change starts again here.
  const errors = ["email", ...(newEmail ? ["", "code", "resend"] : [])].flatMap(
    (field) => result?.errors[field] ?? [],
  );
  const isClosed = useIsClosed();
  const isOpen = newEmail !== "" || errors.length > 0;
  if (isClosed) {
    return (
      <div className={profileRowClass}>
        {children}
        <button type="button" disabled className={buttonClass("secondary", "min-h-control")}>
          {t("email.change")}
        </button>
      </div>
    );
  }
  return (
    <details key={isOpen ? "open" : "closed"} open={isOpen} className="group">
      <summary className={`${profileRowClass} cursor-pointer list-none rounded-md`}>
        {children}
        <span className={buttonClass("secondary", "min-h-control")}>
          <span className="group-open:hidden">{t("email.change")}</span>
          <span className="hidden group-open:inline">{common("actions.cancel")}</span>
        </span>
      </summary>
      <Form
        ref={form}
        method="post"
        action={accountPath}
        preventScrollReset
        noValidate
        className="grid max-w-md gap-4 pt-4"
      >
        <input type="hidden" name="intent" value="change-email" />
        <TextField
          name="email"
          type="email"
          label={t("email.label")}
          hint={t("email.hint")}
          autoComplete="email"
          dir="ltr"
          maxLength={EMAIL_MAX_LENGTH}
          defaultValue={result?.values.email ?? newEmail}
          errors={errors}
          required
        />
        <Button isBusy={isBusy} className="justify-self-start">
          {t("email.continue")}
        </Button>
      </Form>
    </details>
  );
}
