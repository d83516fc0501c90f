import { Form } from "react-router";
import { Button } from "../../ui/button.tsx";
import { ConfirmDrawer } from "../../ui/confirm-drawer.tsx";
import { DatePicker } from "../../ui/date-picker.tsx";
import { Field } from "../../ui/field.tsx";
import { isolate } from "../../ui/isolate.ts";
import { useTranslation } from "../../ui/translation.tsx";
import { BAN_DURATIONS, banDays } from "./ban-duration.ts";
import {
  BanDurationField,
  BanReasonField,
  ReasonField,
  type UserFormResult,
} from "./ban-fields.tsx";

type ControlProps = {
  /** Name of the user, or the e-mail when there is no name. */
  title: string;
  result: UserFormResult;
};

/** Lets a manager impersonate this user, with a reason. */
export function ImpersonateControl({ title, result }: ControlProps) {
  const { t } = useTranslation("users");
  const refused = refusedFor(result, "impersonate");
  return (
    <ConfirmDrawer
      intent="impersonate"
      text={t("impersonate.text", { name: isolate(title) })}
      refused={refused}
      icon="user-round-check"
      trigger={t("impersonate.title")}
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

/** Bans this user for a time or for ever, or removes the ban. */
export function BanControl({ title, result, isBanned, now }: BanControlProps) {
  const { t } = useTranslation("users");
  const refused = refusedFor(result, "ban");
  const { today, first, last } = banDays(now);
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
      isDestructive
      icon="ban"
      trigger={t("ban.title")}
    >
      <BanReasonField refused={refused} />
      {/* The style sheet shows the day field for the duration "date", with or without JavaScript. */}
      <div className="group grid gap-4">
        <BanDurationField durations={BAN_DURATIONS} refused={refused} />
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
                today={today}
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

function refusedFor(result: UserFormResult, intent: string): UserFormResult {
  return result?.values.intent === intent ? result : undefined;
}
