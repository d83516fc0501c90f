import type { ReactNode } from "react";
import { Message, type MessageReference } from "../text/message.tsx";
import { useCorrection } from "./use-correction.ts";

type Choice = {
  value: string;
  label: string;
  hint: string;
  /** Beside the label: says something of this choice, such as that it is the current one. */
  badge?: ReactNode;
  children?: ReactNode;
};

type ChoiceFieldProps = {
  name: string;
  /** Needed where a screen has several fields of one name. */
  id?: string;
  label: string;
  value: string;
  choices: Choice[];
  errors?: MessageReference[] | undefined;
};

/** A few choices as radio buttons, all visible with what they mean. */
export function ChoiceField({
  name,
  id = `field-${name}`,
  label,
  value,
  choices,
  errors,
}: ChoiceFieldProps) {
  const { shown, onInput } = useCorrection(errors);
  const [error] = shown ?? [];
  const errorId = `${id}-error`;
  return (
    <fieldset id={id} className="grid gap-3" aria-describedby={error && errorId} onInput={onInput}>
      <legend className="mb-3 text-sm font-medium">{label}</legend>
      {choices.map((choice) => (
        <ChoiceRow
          key={choice.value}
          id={`${id}-${choice.value || "default"}`}
          name={name}
          choice={choice}
          isChosen={choice.value === value}
        />
      ))}
      <p id={errorId} role="alert" className="text-sm text-danger empty:hidden">
        {error && <Message value={error} />}
      </p>
    </fieldset>
  );
}

type ChoiceRowProps = { id: string; name: string; choice: Choice; isChosen: boolean };

function ChoiceRow({ id, name, choice, isChosen }: ChoiceRowProps) {
  return (
    <div className="flex gap-3 text-sm">
      <input
        type="radio"
        name={name}
        value={choice.value}
        id={id}
        aria-describedby={`${id}-hint`}
        defaultChecked={isChosen}
        className="mt-[calc((1lh-1.25rem)/2)] size-5 shrink-0"
      />
      <div className="grid gap-1">
        <label htmlFor={id} className="flex items-center gap-2 font-medium">
          {choice.label}
          {choice.badge && <span className="-my-1">{choice.badge}</span>}
        </label>
        <p id={`${id}-hint`} className="text-muted">
          {choice.hint}
        </p>
        {choice.children && <div className="mt-2">{choice.children}</div>}
      </div>
    </div>
  );
}
