import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { FormErrors } from "../../ui/form-errors.tsx";
import { Message } from "../../ui/message.tsx";
import { useTranslation } from "../../ui/translation.tsx";

type CodeStepProps = {
  title: string;
  /** What the code is for. */
  text: string;
  /** The mailbox that the code goes to. */
  email: string;
  isSent: boolean;
  result: { errors: Record<string, string[]> } | undefined;
  cancelTo: string;
  /** The code's entry, once it is sent. */
  children: ReactNode;
};

/** A step that a code opens: says what for, sends the code when asked to, then takes it. */
export function CodeStep(props: CodeStepProps) {
  const { title, text, email, isSent, result, cancelTo, children } = props;
  const { t } = useTranslation("account");
  const common = useTranslation().t;
  const isBusy = useNavigation().formData?.get("intent") === "resend";
  const [error] = result?.errors.resend ?? [];
  const [before = "", after = ""] = t(isSent ? "code.sent" : "code.willSend", {
    email: "\0",
  }).split("\0");
  return (
    <div className="mx-auto grid w-full max-w-sm gap-6">
      <div className="grid gap-2">
        <h1 className="text-xl font-semibold">{title}</h1>
        <p className="text-muted">{text}</p>
        <p className="text-muted">
          {before}
          <bdi className="inline-block font-medium text-ink wrap-anywhere">{email}</bdi>
          {after}
        </p>
      </div>
      {children}
      {!isSent && (
        <Form method="post" replace className="grid gap-3">
          <input type="hidden" name="intent" value="resend" />
          <FormErrors errors={result?.errors[""]} />
          <Button isBusy={isBusy}>{t("code.send")}</Button>
          <p role="alert" className="text-sm text-danger empty:hidden">
            {error && <Message value={error} />}
          </p>
          <ButtonLink variant="quiet" to={cancelTo}>
            {common("actions.cancel")}
          </ButtonLink>
        </Form>
      )}
    </div>
  );
}
