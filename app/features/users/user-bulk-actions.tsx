import { ConfirmDrawer } from "../../ui/confirm-drawer.tsx";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { BAN_PRESETS } from "./ban-duration.ts";
import { BanDurationField, BanReasonField } from "./ban-fields.tsx";
import type { UsersChange } from "./bulk-input.ts";

type UserBulkActionsProps = {
  /** Number of chosen users; 0 while unknown, as without JavaScript. */
  count: number;
  /** Changes that the manager may make. */
  intents: UsersChange["intent"][];
};

/** Buttons for the chosen users; each asks for confirmation. */
export function UserBulkActions({ count, intents }: UserBulkActionsProps) {
  const { t } = useTranslation("users");
  const common = useTranslation().t;
  return (
    <>
      {intents.includes("ban") && (
        <ConfirmDrawer
          isInForm
          intent="ban"
          text={count > 0 ? t("bulk.banText", { count }) : t("bulk.banTextAny")}
          isDestructive
          icon="ban"
          trigger={t("ban.title")}
        >
          <BanReasonField />
          <BanDurationField durations={BAN_PRESETS} />
        </ConfirmDrawer>
      )}
      {intents.includes("unban") && (
        <ConfirmDrawer
          isInForm
          intent="unban"
          text={count > 0 ? t("bulk.unbanText", { count }) : t("bulk.unbanTextAny")}
          icon="check"
          trigger={t("ban.unban")}
        />
      )}
      {intents.includes("set-role") && (
        <ConfirmDrawer
          isInForm
          intent="set-role"
          text={count > 0 ? t("bulk.roleText", { count }) : t("bulk.roleTextAny")}
          icon="key-round"
          trigger={t("bulk.setRole")}
        >
          <Field name="role" label={t("role")} errors={undefined}>
            {(control) => (
              <Select {...control} defaultValue="user">
                <option value="user">{t("roles.user")}</option>
                <option value="admin">{t("roles.admin")}</option>
              </Select>
            )}
          </Field>
        </ConfirmDrawer>
      )}
      {intents.includes("delete") && (
        <ConfirmDrawer
          isInForm
          intent="delete"
          text={count > 0 ? t("bulk.deleteText", { count }) : t("bulk.deleteTextAny")}
          isDestructive
          icon="trash-2"
          trigger={common("actions.delete")}
        />
      )}
    </>
  );
}
