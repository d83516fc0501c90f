import { Field, inputClass } from "../../ui/field.tsx";
import type { MessageReference } from "../../ui/message.tsx";
import { Select } from "../../ui/select.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import type { BanDuration } from "./ban-duration.ts";
import { REASON_MAX_LENGTH } from "./limits.ts";

/** What came of a form about a user that was not taken as it stood. */
export type UserFormResult =
  | { values: Record<string, string>; errors: Record<string, MessageReference[]> }
  | undefined;

/** Why somebody is banned; they are told when they try to sign in. */
export function BanReasonField({ refused }: { refused?: UserFormResult }) {
  const { t } = useTranslation("users");
  return (
    <ReasonField
      name="reason"
      label={t("ban.reason")}
      hint={t("ban.reasonHint")}
      refused={refused}
    />
  );
}

type BanDurationFieldProps = {
  /** What is offered. */
  durations: readonly BanDuration[];
  refused?: UserFormResult;
};

/** How long a ban lasts. */
export function BanDurationField({ durations, refused }: BanDurationFieldProps) {
  const { t } = useTranslation("users");
  return (
    <Field name="duration" label={t("ban.duration")} errors={refused?.errors.duration}>
      {(control) => (
        <Select {...control} defaultValue={refused?.values.duration ?? "forever"}>
          {durations.map((duration) => (
            <option key={duration} value={duration}>
              {duration === "forever" || duration === "date"
                ? t(`ban.${duration}`)
                : t("ban.days", { count: Number(duration) })}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

type ReasonFieldProps = {
  name: string;
  label: string;
  hint: string;
  refused: UserFormResult;
  required?: boolean;
};

/** Why something is done to somebody. */
export function ReasonField({ name, label, hint, refused, required }: ReasonFieldProps) {
  return (
    <Field name={name} label={label} hint={hint} errors={refused?.errors[name]}>
      {(control) => (
        <textarea
          {...control}
          dir="auto"
          rows={2}
          maxLength={REASON_MAX_LENGTH}
          defaultValue={refused?.values[name]}
          required={required}
          className={inputClass}
        />
      )}
    </Field>
  );
}
