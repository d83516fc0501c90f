import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button, ButtonLink } from "../../../ui/forms/button.tsx";
import { FormErrors } from "../../../ui/forms/form-errors.tsx";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { panelClass } from "../../../ui/layout/panel.tsx";
import { ScreenHeader } from "../../../ui/layout/screen-header.tsx";
import { SingleColumn } from "../../../ui/layout/single-column.tsx";
import { EmailSentence } from "../../../ui/text/email-text.tsx";
import { Message } from "../../../ui/text/message.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import type { Countdowns } from "../codes/code-sent.ts";
import { CodeEntry } from "./code-entry.tsx";

type CodeStepBodyProps = {
  /** Says what the code is for, where the title does not. */
  text?: ReactNode;
  /** What else the code does. */
  note?: string;
  email: string;
  /** Countdowns of the code that was sent; undefined without one. */
  countdowns: Countdowns | undefined;
  /** The form's step, on a screen with several steps. */
  step?: string;
  result: { errors: Record<string, string[]> } | undefined;
  /** Names the destructive change that the code allows, on a red button; undefined for other codes. */
  destructiveLabel?: string;
  /** Another way than the code, above it. */
  other?: ReactNode;
  /** Link that leads back, at the end. */
  cancel?: ReactNode;
};

type CodeStepProps = Omit<CodeStepBodyProps, "cancel"> & {
  title: string;
  breadcrumb?: ReactNode;
  /** The consequences of the code, one sentence each, if they cannot easily be undone. */
  consequences?: string[];
  cancelTo: string;
};

/** A screen that needs a code: explains its purpose, sends the code on request, then takes it. */
export function CodeStep(props: CodeStepProps) {
  const { title, breadcrumb, consequences = [], cancelTo, ...body } = props;
  const common = useTranslation().t;
  return (
    <SingleColumn isNarrow>
      <ScreenTitle>{title}</ScreenTitle>
      <ScreenHeader title={title} breadcrumb={breadcrumb} />
      <div className={`grid gap-6 ${panelClass}`}>
        {consequences.length > 0 && (
          <Notice kind="warning">
            <ul className="grid gap-2 text-pretty">
              {consequences.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </Notice>
        )}
        <CodeStepBody
          {...body}
          cancel={
            <ButtonLink variant="secondary" to={cancelTo}>
              {common("actions.cancel")}
            </ButtonLink>
          }
        />
      </div>
    </SingleColumn>
  );
}

export function CodeStepBody(props: CodeStepBodyProps) {
  const { text, note, email, countdowns, step, result, destructiveLabel, other, cancel } = props;
  const { t } = useTranslation("account");
  return (
    <>
      <div className="grid gap-2 text-sm">
        {text && <div className="text-muted">{text}</div>}
        <EmailSentence
          text={(shown) => t(countdowns ? "code.sent" : "code.willSend", { email: shown })}
          email={email}
        />
        {note && <p>{note}</p>}
      </div>
      {other && (
        <>
          {other}
          <p className="border-t border-line pt-6 text-sm text-muted">{t("confirm.orCode")}</p>
        </>
      )}
      {countdowns ? (
        <CodeEntry
          countdowns={countdowns}
          captchaSiteKey={undefined}
          shownCode={undefined}
          step={step}
          result={result}
          otherLink={cancel}
          destructiveLabel={destructiveLabel}
          isResendBeside
        />
      ) : (
        <SendForm result={result} otherLink={cancel} />
      )}
    </>
  );
}

type SendFormProps = Pick<CodeStepProps, "result"> & { otherLink: ReactNode };

/** Requests the first code, or another after the last one expired. */
function SendForm({ result, otherLink }: SendFormProps) {
  const { t } = useTranslation("account");
  const isBusy = useNavigation().formData?.get("intent") === "resend";
  const [error] = result?.errors.resend ?? [];
  return (
    <Form method="post" replace className="grid gap-3">
      <input type="hidden" name="intent" value="resend" />
      <FormErrors errors={result?.errors[""]} />
      <Button isBusy={isBusy}>{t("code.send")}</Button>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {error && <Message value={error} />}
      </p>
      {otherLink}
    </Form>
  );
}
