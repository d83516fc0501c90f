import { type ReactNode, useId } from "react";
import { Form } from "react-router";
import { Button, type ButtonVariant, buttonClass } from "./button.tsx";
import { useTranslation } from "./translation.tsx";

type ConfirmDrawerProps = {
  trigger: ReactNode;
  triggerVariant?: ButtonVariant;
  /** What will happen, with names and numbers. */
  text: string;
  intent: string;
  action?: string;
  isBusy?: boolean;
  /** Stands inside a form already, which has more than one such question. */
  isInForm?: boolean;
  /** Further fields of the form. */
  children?: ReactNode;
};

const frameClass = "mx-auto grid max-w-md gap-4";

/** Asks before something that hurts. The browser's own popover: it asks without JavaScript too. */
export function ConfirmDrawer(props: ConfirmDrawerProps) {
  const { trigger, triggerVariant = "secondary", text, intent, action, isBusy, children } = props;
  const { isInForm } = props;
  const { t } = useTranslation();
  const id = useId().replace(/[^\w-]/g, "");
  const question = (
    <>
      <h2 id={`${id}-title`} className="text-lg font-semibold">
        {t("confirm.title")}
      </h2>
      <p id={`${id}-text`} className="text-muted">
        {text}
      </p>
      {children}
      <div className="flex justify-end gap-3">
        <button
          type="button"
          popoverTarget={id}
          popoverTargetAction="hide"
          className={buttonClass("secondary")}
          // biome-ignore lint/a11y/noAutofocus: the safe answer is the one under the finger
          autoFocus
        >
          {t("actions.cancel")}
        </button>
        <Button variant="danger" name="intent" value={intent} isBusy={isBusy}>
          {t("actions.confirm")}
        </Button>
      </div>
    </>
  );
  return (
    <>
      <button type="button" popoverTarget={id} className={buttonClass(triggerVariant)}>
        {trigger}
      </button>
      <div
        id={id}
        popover="auto"
        role="alertdialog"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-text`}
        className="confirm-drawer border border-line bg-panel p-6 text-ink shadow-high"
      >
        {isInForm ? (
          <div className={frameClass}>{question}</div>
        ) : (
          <Form method="post" action={action} className={frameClass}>
            {question}
          </Form>
        )}
      </div>
    </>
  );
}
