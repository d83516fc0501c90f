import type { ReactNode } from "react";
import { Message, type MessageReference } from "../text/message.tsx";
import { useCorrection } from "./use-correction.ts";

type CheckFieldProps = {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  errors?: MessageReference[] | undefined;
  defaultChecked?: boolean;
  required?: boolean;
};

/** A checkbox with its label, hint and error. A checked one posts "yes". */
export function CheckField({ name, label, hint, errors, ...input }: CheckFieldProps) {
  const id = `field-${name}`;
  const { shown, onInput } = useCorrection(errors);
  const [error] = shown ?? [];
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div className="flex gap-3 text-sm" onInput={onInput}>
      <input
        type="checkbox"
        id={id}
        name={name}
        value="yes"
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy || undefined}
        className="mt-[calc((1lh-1.25rem)/2)] size-5 shrink-0"
        {...input}
      />
      <div className="grid gap-1">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint && (
          <div id={`${id}-hint`} className="text-muted">
            {hint}
          </div>
        )}
        <p id={`${id}-error`} role="alert" className="text-danger empty:hidden">
          {error && <Message value={error} />}
        </p>
      </div>
    </div>
  );
}
