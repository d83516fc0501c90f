import { buttonClass } from "../../ui/button.tsx";
import { closePopover } from "../../ui/close-popover.ts";
import { ConfirmDrawer } from "../../ui/confirm-drawer.tsx";
import { DatePicker } from "../../ui/date-picker.tsx";
import { Field } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { isolate } from "../../ui/isolate.ts";
import { Menu, menuItemClass } from "../../ui/menu.tsx";
import { HEAD_BUTTON } from "../../ui/screen-header.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { useCssId } from "../../ui/use-css-id.ts";
import { BAN_DURATIONS, banDays } from "./ban-duration.ts";
import {
  BanDurationField,
  BanReasonField,
  ReasonField,
  type UserFormResult,
} from "./ban-fields.tsx";

const dangerItemClass = `${menuItemClass} text-danger`;

type ControlProps = {
  /** Name of the user, or the e-mail when there is no name. */
  title: string;
  result: UserFormResult;
};

/** Lets a manager impersonate this user, with a reason. */
export function ImpersonateControl({ title, result }: ControlProps) {
  const { t } = useTranslation("users");
  const drawer = useCssId();
  const refused = refusedFor(result, "impersonate");
  return (
    <>
      <button
        type="button"
        popoverTarget={drawer}
        className={buttonClass("secondary", HEAD_BUTTON)}
      >
        <Icon name="user-round-check" className="size-4" />
        {t("impersonate.title")}
      </button>
      <ConfirmDrawer
        openedById={drawer}
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
    </>
  );
}

type UserMenuProps = ControlProps & { isBanned: boolean; now: Date };

/**
 * A menu with the ban and the deletion of this user. Their drawers are outside of the menu, because a refused ban is
 * shown when the menu is closed.
 */
export function UserMenu({ title, result, isBanned, now }: UserMenuProps) {
  const { t } = useTranslation("users");
  const common = useTranslation().t;
  const id = useCssId();
  const [ban, deletion] = [`${id}-ban`, `${id}-delete`];
  return (
    <>
      <Menu
        label={common("list.actions")}
        trigger={<Icon name="ellipsis" className="size-5" />}
        triggerClassName={buttonClass("secondary", `${HEAD_BUTTON} px-2!`)}
      >
        {!isBanned && (
          <button
            type="button"
            popoverTarget={ban}
            className={dangerItemClass}
            onClick={closePopover}
          >
            <Icon name="ban" className="size-4" />
            {t("ban.title")}
          </button>
        )}
        <button
          type="button"
          popoverTarget={deletion}
          className={dangerItemClass}
          onClick={closePopover}
        >
          <Icon name="trash-2" className="size-4" />
          {common("actions.delete")}
        </button>
      </Menu>
      {!isBanned && <BanDrawer id={ban} title={title} result={result} now={now} />}
      <ConfirmDrawer
        openedById={deletion}
        intent="delete"
        text={t("deleteText", { name: isolate(title) })}
        isDestructive
        icon="trash-2"
        trigger={common("actions.delete")}
      />
    </>
  );
}

type BanDrawerProps = ControlProps & { id: string; now: Date };

/** Bans this user for a time or for ever. */
function BanDrawer({ id, title, result, now }: BanDrawerProps) {
  const { t } = useTranslation("users");
  const refused = refusedFor(result, "ban");
  const { today, first, last } = banDays(now);
  return (
    <ConfirmDrawer
      openedById={id}
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
