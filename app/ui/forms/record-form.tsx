import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { panelClass } from "../layout/panel.tsx";
import { useArrivalFocus } from "../layout/use-arrival-focus.ts";
import type { MessageReference } from "../text/message.tsx";
import { Button } from "./button.tsx";
import { FormErrors } from "./form-errors.tsx";
import { useFirstErrorFocus } from "./use-first-error-focus.ts";

type RecordFormProps = {
  result: { errors: Record<string, MessageReference[]> } | undefined;
  submitLabel: string;
  /** Hidden fields, and elements beside the button. */
  beside?: ReactNode;
  /** The fields. */
  children: ReactNode;
};

/** Form of a new or existing record, which has a screen of its own. */
export function RecordForm({ result, submitLabel, beside, children }: RecordFormProps) {
  const isBusy = useNavigation().formMethod === "POST";
  const form = useFirstErrorFocus(result);
  useArrivalFocus(form);
  return (
    <Form ref={form} method="post" noValidate className={`grid gap-6 ${panelClass}`}>
      <FormErrors errors={result?.errors[""]} />
      {children}
      <div className="flex flex-wrap gap-3">
        <Button isBusy={isBusy}>{submitLabel}</Button>
        {beside}
      </div>
    </Form>
  );
}
