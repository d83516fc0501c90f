import type { InputHTMLAttributes, ReactNode } from "react";
import { Message, type MessageReference } from "../text/message.tsx";
import { useCorrection } from "./use-correction.ts";

export type FieldProps = {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  /** Button at the end of the hint's line, on a phone below it: not every language has room for both. */
  hintEnd?: ReactNode;
  /**
   * What the server says of the value while it is typed; null while it says nothing. It and the
   * errors take the place of the hint, so that nothing below moves under the reader's hands.
   */
  liveNote?: ReactNode;
  /** What a value must look like. It stays below errors, which it helps to correct. */
  rule?: ReactNode;
  errors: MessageReference[] | undefined;
  /** Takes the place of the errors where one sentence is not enough. */
  error?: ReactNode;
  /** Shown beside the error, such as the number of tries left. */
  errorNote?: ReactNode;
  /** Draws the control; spread these props on it. */
  children: (control: ControlProps) => ReactNode;
};

type ControlProps = {
  id: string;
  name: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
};

/** Draws a control's label, hint and error, and connects them for screen readers. No input is drawn without it. */
export function Field(props: FieldProps) {
  const { name, label, hint, hintEnd, liveNote, rule, errors, errorNote, children } = props;
  const id = `field-${name}`;
  const { shown, onInput } = useCorrection(errors);
  const [first] = shown ?? [];
  const error = props.error ?? (first && <Message value={first} />);
  const hasNote = error && errorNote;
  const isLive = liveNote !== undefined;
  const hasAnswer = isLive && Boolean(error || liveNote);
  const describedBy = [
    error && `${id}-error`,
    hasNote && `${id}-note`,
    liveNote && `${id}-live`,
    hint && `${id}-hint`,
    rule && `${id}-rule`,
  ]
    .filter(Boolean)
    .join(" ");
  const hintText = hint && (
    <p id={`${id}-hint`} className={`text-muted ${hasAnswer ? "invisible" : ""}`}>
      {hint}
    </p>
  );
  return (
    <div className="grid gap-2" onInput={onInput}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({
        id,
        name,
        "aria-invalid": error ? true : undefined,
        "aria-describedby": describedBy || undefined,
      })}
      <div className={isLive ? "grid text-sm *:[grid-area:1/1]" : "contents text-sm"}>
        <div className="flex flex-wrap gap-x-1 has-[p:only-child:empty]:hidden">
          <p id={`${id}-error`} role="alert" className="text-danger only:grow empty:hidden">
            {error}
          </p>
          {hasNote && (
            <p id={`${id}-note`} className="text-muted">
              <span aria-hidden="true">· </span>
              {errorNote}
            </p>
          )}
        </div>
        {hintEnd ? (
          <div className="grid gap-2 sm:flex sm:flex-wrap sm:items-center sm:justify-between sm:gap-x-6">
            {hintText}
            {hintEnd}
          </div>
        ) : (
          hintText
        )}
        {isLive && (
          <p id={`${id}-live`} role="status" className="text-muted empty:hidden">
            {!error && liveNote}
          </p>
        )}
      </div>
      {rule && (
        <p id={`${id}-rule`} className="-mt-1 text-sm text-muted">
          {rule}
        </p>
      )}
    </div>
  );
}

type TextFieldProps = Omit<FieldProps, "children"> &
  Omit<InputHTMLAttributes<HTMLInputElement>, "name" | "children">;

export function TextField({ name, label, hint, liveNote, rule, errors, ...input }: TextFieldProps) {
  return (
    <Field name={name} label={label} hint={hint} liveNote={liveNote} rule={rule} errors={errors}>
      {(control) => <input className="input" {...input} {...control} />}
    </Field>
  );
}

/** Field for an e-mail, by default of another person: the browser neither fills it in nor corrects it. */
export function EmailField(props: TextFieldProps) {
  return (
    <TextField
      type="email"
      dir="ltr"
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      {...props}
    />
  );
}
