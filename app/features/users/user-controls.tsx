import { Form } from "react-router";
import { Button } from "../../ui/button.tsx";
import { ConfirmDrawer } from "../../ui/confirm-drawer.tsx";
import { DatePicker } from "../../ui/date-picker.tsx";
import { Field, inputClass } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { isolate } from "../../ui/isolate.ts";
import type { MessageReference } from "../../ui/message.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { BAN_DURATIONS, banDays } from "./ban-duration.ts";
import { REASON_MAX_LENGTH } from "./limits.ts";

/** What came of a form of this screen that was not taken as it stood. */
export type UserFormResult =
  | { values: Record<string, string>; errors: Record<string, MessageReference[]> }
  | undefined;

type ControlProps = {
  /** What the user is called here: their name, or their address. */
  title: string;
  result: UserFormResult;
};

/** Lets a manager act as this user, for a reason. */
export function ImpersonateControl({ title, result }: ControlProps) {
  const { t } = useTranslation("users");
  const refused = refusedFor(result, "impersonate");
  return (
    <ConfirmDrawer
      intent="impersonate"
      text={t("impersonate.text", { name: isolate(title) })}
      refused={refused}
      trigger={
        <>
          <Icon name="user-round-check" className="size-4" />
          {t("impersonate.title")}
        </>
      }
    >
      <ReasonField
        name="impersonationReason"
        label={t("impersonate.reason")}
        hint={t("impersonate.reasonHint")}
        refused={refused}
        required
      />
    </ConfirmDrawer>
  );
}

type BanControlProps = ControlProps & { isBanned: boolean; now: Date };

/** Bans this user for a while or for good, or lets them in again. */
export function BanControl({ title, result, isBanned, now }: BanControlProps) {
  const { t } = useTranslation("users");
  const refused = refusedFor(result, "ban");
  const { first, last } = banDays(now);
  if (isBanned) {
    return (
      <Form method="post">
        <Button variant="secondary" name="intent" value="unban">
          {t("ban.unban")}
        </Button>
      </Form>
    );
  }
  return (
    <ConfirmDrawer
      intent="ban"
      text={t("ban.text", { name: isolate(title) })}
      refused={refused}
      trigger={
        <>
          <Icon name="ban" className="size-4" />
          {t("ban.title")}
        </>
      }
    >
      <ReasonField
        name="reason"
        label={t("ban.reason")}
        hint={t("ban.reasonHint")}
        refused={refused}
      />
      {/* The style sheet shows the day's field where it is asked for, with or without scripts. */}
      <div className="group grid gap-4">
        <Field name="duration" label={t("ban.duration")} errors={refused?.errors.duration}>
          {(control) => (
            <select
              {...control}
              defaultValue={refused?.values.duration ?? "forever"}
              className={inputClass}
            >
              {BAN_DURATIONS.map((duration) => (
                <option key={duration} value={duration}>
                  {duration === "forever" || duration === "date"
                    ? t(`ban.${duration}`)
                    : t("ban.days", { count: Number(duration) })}
                </option>
              ))}
            </select>
          )}
        </Field>
        <div className="hidden group-has-[option[value=date]:checked]:block">
          <Field
            name="until"
            label={t("ban.until")}
            hint={t("ban.untilHint")}
            errors={refused?.errors.until}
          >
            {(control) => (
              <DatePicker
                {...control}
                label={t("ban.until")}
                first={first}
                last={last}
                defaultValue={refused?.values.until}
              />
            )}
          </Field>
        </div>
      </div>
    </ConfirmDrawer>
  );
}

type ReasonFieldProps = {
  name: string;
  label: string;
  hint: string;
  refused: UserFormResult;
  required?: boolean;
};

function ReasonField({ name, label, hint, refused, required }: ReasonFieldProps) {
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

function refusedFor(result: UserFormResult, intent: string): UserFormResult {
  return result?.values.intent === intent ? result : undefined;
}
