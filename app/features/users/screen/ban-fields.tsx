import { Field } from "../../../ui/forms/field.tsx";
import type { RefusedForm } from "../../../ui/forms/refused-form.ts";
import { Select } from "../../../ui/forms/select.tsx";
import { useIsHydrated } from "../../../ui/layout/use-is-hydrated.ts";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { REASON_MAX_LENGTH } from "../../../values/limits.ts";
import type { BanDuration } from "../commands/ban-duration.ts";

/** Field for the reason of a ban. The banned user sees the reason when signing in. */
export function BanReasonField({ refused }: { refused?: RefusedForm }) {
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
  durations: readonly BanDuration[];
  refused?: RefusedForm;
  onChange?: (duration: string) => void;
};

/** Length that a ban has unless the manager chooses another. */
const USUAL_DURATION: BanDuration = "7";

export function BanDurationField({ durations, refused, onChange }: BanDurationFieldProps) {
  const { t } = useTranslation("users");
  return (
    <Field name="duration" label={t("ban.duration")} errors={refused?.errors.duration}>
      {(control) => (
        <Select
          {...control}
          defaultValue={refused?.values.duration ?? USUAL_DURATION}
          onChange={(event) => onChange?.(event.currentTarget.value)}
        >
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

/**
 * Returns the text of the button that bans. Without JavaScript it does not follow the field, and
 * does not say how long.
 */
export function useBanLabel(duration: string = USUAL_DURATION): string {
  const { t } = useTranslation("users");
  const isHydrated = useIsHydrated();
  if (!isHydrated || duration === "date") return t("ban.title");
  if (duration === "forever") return t("ban.confirmForever");
  return t("ban.confirmDays", { count: Number(duration) });
}

type ReasonFieldProps = {
  name: string;
  label: string;
  hint?: string;
  refused: RefusedForm;
  required?: boolean;
};

/** Text area for the reason of an action on a user. */
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
          className="input"
        />
      )}
    </Field>
  );
}
