import { Message, type MessageReference } from "../../ui/message.tsx";

type ChoiceFieldProps = {
  name: string;
  label: string;
  value: string;
  /** A sentence explains each choice. */
  choices: { value: string; label: string; hint: string }[];
  errors: MessageReference[] | undefined;
};

/** A few choices as radio buttons, all visible with what they mean. */
export function ChoiceField({ name, label, value, choices, errors }: ChoiceFieldProps) {
  const [error] = errors ?? [];
  const errorId = `field-${name}-error`;
  return (
    <fieldset id={`field-${name}`} className="grid gap-3" aria-describedby={error && errorId}>
      <legend className="mb-3 text-sm font-medium">{label}</legend>
      {choices.map((choice) => {
        const id = `field-${name}-${choice.value || "default"}`;
        return (
          <div key={choice.value} className="flex gap-3 text-sm">
            <input
              type="radio"
              name={name}
              value={choice.value}
              id={id}
              aria-describedby={`${id}-hint`}
              defaultChecked={choice.value === value}
              className="mt-[calc((1lh-1.25rem)/2)] size-5 shrink-0"
            />
            <div className="grid gap-1">
              <label htmlFor={id} className="text-sm font-medium">
                {choice.label}
              </label>
              <p id={`${id}-hint`} className="text-sm text-muted">
                {choice.hint}
              </p>
            </div>
          </div>
        );
      })}
      <p id={errorId} role="alert" className="text-sm text-danger empty:hidden">
        {error && <Message value={error} />}
      </p>
    </fieldset>
  );
}
