import { useState } from "react";
import { DatePicker } from "../../../ui/forms/date-picker.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { type RefusedForm, refusedFor } from "../../../ui/forms/refused-form.ts";
import { ActionMenu, type MenuQuestion } from "../../../ui/overlays/action-menu.tsx";
import { ConfirmDrawer } from "../../../ui/overlays/confirm-drawer.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { useFormat } from "../../../ui/text/use-format.ts";
import { WithOwnText } from "../../../ui/text/with-own-text.tsx";
import { useCan } from "../../access/use-can.tsx";
import { BAN_DURATIONS, banDays } from "../commands/ban-duration.ts";
import { BanDurationField, BanReasonField, ReasonField, useBanLabel } from "./ban-fields.tsx";

type ControlProps = {
  /** Name of the user, or the e-mail when there is no name. */
  title: string;
  result: RefusedForm;
};

/** On a phone the buttons of a user share one line in each language, without their icons. */
export const bareOnPhoneClass = "max-sm:[&>svg]:hidden";

/** Lets a manager impersonate this user, with a reason. */
export function ImpersonateControl({ title, result }: ControlProps) {
  const { t } = useTranslation("users");
  const refused = refusedFor(result, "impersonate");
  return (
    <ConfirmDrawer
      intent="impersonate"
      needsProof
      text={<WithOwnText text={(name) => t("impersonate.text", { name })} value={title} />}
      confirm={t("impersonate.title")}
      refused={refused}
      icon="user-round-check"
      trigger={t("impersonate.title")}
      triggerClassName={bareOnPhoneClass}
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

type UserMenuProps = ControlProps & { isBanned: boolean; now: Date };

export function UserMenu({ title, result, isBanned, now }: UserMenuProps) {
  const { t } = useTranslation("users");
  const common = useTranslation().t;
  const can = useCan();
  const refused = refusedFor(result, "ban");
  const [duration, setDuration] = useState(refused?.values.duration);
  const confirm = useBanLabel(duration);
  const ban = {
    intent: "ban",
    icon: "ban",
    title: t("ban.title"),
    text: <WithOwnText text={(name) => t("ban.text", { name })} value={title} />,
    confirm,
    refused,
    isDestructive: true,
    needsProof: true,
    children: <BanFields refused={refused} now={now} onDuration={setDuration} />,
  } satisfies MenuQuestion;
  const deletion = {
    intent: "delete",
    icon: "trash-2",
    title: common("actions.delete"),
    text: <WithOwnText text={(name) => t("deleteText", { name })} value={title} />,
    isDestructive: true,
    needsProof: true,
  } satisfies MenuQuestion;
  const questions = [
    ...(can("user", "ban") && !isBanned ? [ban] : []),
    ...(can("user", "delete") ? [deletion] : []),
  ];
  if (questions.length === 0) return null;
  return <ActionMenu label={common("list.actions")} isFramed questions={questions} />;
}

type BanFieldsProps = {
  refused: RefusedForm;
  now: Date;
  onDuration: (duration: string) => void;
};

function BanFields({ refused, now, onDuration }: BanFieldsProps) {
  const { t } = useTranslation("users");
  const { today, first, last } = banDays(useFormat().dayKey(now));
  return (
    <>
      <BanReasonField refused={refused} />
      {/* The style sheet shows the day field for the duration "date", with or without JavaScript. */}
      <div className="group grid gap-4">
        <BanDurationField durations={BAN_DURATIONS} refused={refused} onChange={onDuration} />
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
    </>
  );
}
