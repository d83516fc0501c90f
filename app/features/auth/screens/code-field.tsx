import type { ClipboardEventHandler, Ref } from "react";
import { Field, type FieldProps } from "../../../ui/forms/field.tsx";
import { CODE_LENGTH } from "../codes/code.ts";

type CodeFieldProps = Pick<FieldProps, "label" | "hint" | "hintEnd" | "errors" | "errorNote"> & {
  value: string;
  onChange: (typed: string) => void;
  onPaste: ClipboardEventHandler<HTMLInputElement>;
  isDisabled: boolean;
  ref: Ref<HTMLInputElement>;
};

/**
 * Six boxes behind one real input, whose letter spacing puts a digit into each. Paste, autofill, selection and screen
 * readers work as in any field, also without JavaScript. Digits run left to right in every language.
 */
export function CodeField({ value, onChange, onPaste, isDisabled, ref, ...field }: CodeFieldProps) {
  return (
    <Field name="code" {...field}>
      {(control) => (
        <div className="@container">
          <div className="code-boxes" dir="ltr" data-invalid={control["aria-invalid"]}>
            {Array.from({ length: CODE_LENGTH }, (_, index) => (
              <span
                // biome-ignore lint/suspicious/noArrayIndexKey: the boxes never change places
                key={index}
                aria-hidden="true"
                className="code-box"
                data-active={index === Math.min(value.length, CODE_LENGTH - 1) || undefined}
              />
            ))}
            <input
              {...control}
              ref={ref}
              type="text"
              inputMode="numeric"
              autoComplete="one-time-code"
              autoCapitalize="off"
              spellCheck={false}
              dir="ltr"
              // biome-ignore lint/a11y/noAutofocus: the screen is for nothing else
              autoFocus
              required
              readOnly={isDisabled}
              value={value}
              onChange={(event) => onChange(event.currentTarget.value)}
              onPaste={onPaste}
              className="code-input"
            />
          </div>
        </div>
      )}
    </Field>
  );
}
