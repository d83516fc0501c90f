import { useState } from "react";
import { TextField } from "../../../ui/forms/field.tsx";
import { useIsHydrated } from "../../../ui/layout/use-is-hydrated.ts";
import { ConfirmDrawer } from "../../../ui/overlays/confirm-drawer.tsx";
import { Avatar } from "../../../ui/text/avatar.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { DEFAULT_ROLE } from "../../access/permissions.ts";
import type { Role } from "../../access/role-names.ts";
import { BAN_PRESETS } from "../commands/ban-duration.ts";
import type { UsersChange } from "../commands/input.ts";
import { BanDurationField, BanReasonField } from "../screen/ban-fields.tsx";
import { checkedRolesIn, RoleField } from "../screen/role-field.tsx";
import { MAX_UNCOUNTED, readCount } from "./bulk-count.ts";

/** Above this number the chosen users are counted instead of shown. */
const MAX_SHOWN = 5;

type ChosenUser = {
  id: string;
  name: string;
  email: string;
  avatar: string | null;
  roles: Role[];
};

type UserBulkActionsProps = {
  /** The chosen users; empty while unknown, as without JavaScript. */
  chosen: ChosenUser[];
  intents: UsersChange["intent"][];
};

/** Buttons for the chosen users; each asks for confirmation. */
export function UserBulkActions({ chosen, intents }: UserBulkActionsProps) {
  const { t } = useTranslation("users");
  const count = chosen.length;
  return (
    <>
      {intents.includes("ban") && (
        <ConfirmDrawer
          isInForm
          intent="ban"
          needsProof
          heading={count > 0 ? t("bulk.ban", { count }) : undefined}
          text={count > 0 ? t("bulk.banText", { count }) : t("bulk.banTextAny")}
          isDestructive
          icon="ban"
          trigger={t("ban.title")}
        >
          <ChosenUsers chosen={chosen} />
          <BanReasonField />
          <BanDurationField durations={BAN_PRESETS} />
        </ConfirmDrawer>
      )}
      {intents.includes("unban") && (
        <ConfirmDrawer
          isInForm
          intent="unban"
          needsProof
          heading={count > 0 ? t("bulk.unban", { count }) : undefined}
          text={count > 0 ? t("bulk.unbanText", { count }) : t("bulk.unbanTextAny")}
          confirm={count > 0 ? t("bulk.unban", { count }) : t("ban.unban")}
          icon="check"
          trigger={t("ban.unban")}
        >
          <ChosenUsers chosen={chosen} />
        </ConfirmDrawer>
      )}
      {intents.includes("set-role") && <SetRoles chosen={chosen} />}
      {intents.includes("invite") && (
        <ConfirmDrawer
          isInForm
          intent="invite"
          text={t("bulk.inviteTextAny")}
          icon="mail"
          trigger={t("invitation.send")}
        >
          <ChosenUsers chosen={chosen} />
        </ConfirmDrawer>
      )}
      {intents.includes("delete") && <DeleteUsers chosen={chosen} />}
    </>
  );
}

/** Gives the chosen users other roles. There is nothing to confirm while all of them have the checked ones. */
function SetRoles({ chosen }: { chosen: ChosenUser[] }) {
  const { t } = useTranslation("users");
  const [checked, setChecked] = useState<string[]>([DEFAULT_ROLE]);
  const count = chosen.length;
  const isUnchanged = ({ roles }: ChosenUser) => isSameSet(roles, checked);
  return (
    <ConfirmDrawer
      isInForm
      intent="set-role"
      needsProof
      heading={count > 0 ? t("bulk.role", { count }) : undefined}
      text={count > 0 ? t("bulk.roleText", { count }) : t("bulk.roleTextAny")}
      confirm={t("bulk.setRole")}
      isLocked={count > 0 && chosen.every(isUnchanged)}
      // "Clear" resets the checkboxes without a change event.
      onOpen={(drawer) => setChecked(checkedRolesIn(drawer))}
      icon="key-round"
      trigger={t("bulk.setRole")}
    >
      <ChosenUsers chosen={chosen} />
      <RoleField roles={[DEFAULT_ROLE]} errors={undefined} onChange={setChecked} />
    </ConfirmDrawer>
  );
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}

/** Deletes the chosen users. Many are deleted only after their number was typed. */
function DeleteUsers({ chosen }: { chosen: ChosenUser[] }) {
  const { t } = useTranslation("users");
  const common = useTranslation().t;
  const isHydrated = useIsHydrated();
  const [typed, setTyped] = useState("");
  const count = chosen.length;
  const needsCount = count > MAX_UNCOUNTED;
  return (
    <ConfirmDrawer
      isInForm
      intent="delete"
      needsProof
      heading={count > 0 ? t("bulk.delete", { count }) : undefined}
      text={count > 0 ? t("bulk.deleteText", { count }) : t("bulk.deleteTextAny")}
      isDestructive
      isLocked={needsCount && readCount(typed) !== count}
      icon="trash-2"
      trigger={common("actions.delete")}
    >
      <ChosenUsers chosen={chosen} />
      {(needsCount || !isHydrated) && (
        <TextField
          name="typedCount"
          label={
            needsCount
              ? t("bulk.typeCount", { number: count })
              : t("bulk.typeCountAny", { maximum: MAX_UNCOUNTED })
          }
          errors={undefined}
          inputMode="numeric"
          autoComplete="off"
          dir="ltr"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
    </ConfirmDrawer>
  );
}

/** The first chosen users, by picture, name and e-mail, and the number of the others. */
function ChosenUsers({ chosen }: { chosen: ChosenUser[] }) {
  const { t } = useTranslation("users");
  if (chosen.length === 0) return null;
  const hidden = chosen.length - MAX_SHOWN;
  return (
    <ul className="grid gap-2 text-sm">
      {chosen.slice(0, MAX_SHOWN).map(({ id, name, email, avatar }) => (
        <li key={id} className="flex min-w-0 items-center gap-3">
          <Avatar name={name} email={email} avatar={avatar} />
          <span className="grid min-w-0 justify-items-start">
            <bdi className="max-w-full truncate">{name || email}</bdi>
            {name && (
              <bdi dir="ltr" className="max-w-full truncate text-xs text-muted">
                {email}
              </bdi>
            )}
          </span>
        </li>
      ))}
      {hidden > 0 && <li className="text-muted">{t("bulk.andMore", { count: hidden })}</li>}
    </ul>
  );
}
