import type { MouseEvent, ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button, ButtonLink, buttonClass } from "../../ui/button.tsx";
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
        <button
          type="button"
          disabled
          aria-label={t("email.change")}
          className={buttonClass("secondary", "shrink-0", true)}
        >
          {t("change")}
        </button>
      </div>
    );
  }
  return (
    <details key={isOpen ? "open" : "closed"} open={isOpen} className="group">
      <summary className={`${profileRowClass} cursor-pointer list-none rounded-md`}>
        {children}
        <span
          className={buttonClass(
            "secondary",
            "shrink-0 group-open:invisible max-sm:group-open:hidden",
            true,
          )}
        >
          {/* A label on the summary would hide the e-mail, which is part of its name. */}
          <span aria-hidden="true">{t("change")}</span>
          <span className="sr-only">{t("email.change")}</span>
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
        <div className="flex flex-wrap gap-3">
          <Button isBusy={isBusy}>{t("email.continue")}</Button>
          {/* Without JavaScript the link opens the account again, with the form closed. */}
          <ButtonLink
            variant="secondary"
            to={accountPath}
            preventScrollReset
            onClick={closeDetails}
          >
            {common("actions.cancel")}
          </ButtonLink>
        </div>
      </Form>
    </details>
  );
}

/** Closes the form at once, and returns the focus to what opened it. */
function closeDetails({ currentTarget }: MouseEvent<HTMLElement>): void {
  const details = currentTarget.closest("details");
  if (!details) return;
  details.open = false;
  details.querySelector("summary")?.focus();
}
