import { ConfirmDrawer } from "../../../ui/confirm-drawer.tsx";
import { isolate } from "../../../ui/isolate.ts";
import { useTranslation } from "../../../ui/translation.tsx";
import { useCssId } from "../../../ui/use-css-id.ts";
import { type OrganizationRole, rolesBelow } from "../../access/organization-permissions.ts";
import { ActionMenu, ActionMenuItem } from "../action-menu.tsx";
import type { MemberRow } from "./member-list.tsx";
import { RoleChoice } from "./role-choice.tsx";

type MemberActionsProps = {
  member: Pick<MemberRow, "id" | "name" | "email" | "role">;
  /** Role of the signed-in member. */
  ownRole: OrganizationRole;
  isSelf: boolean;
};

/** What the signed-in member may do with another: change the role, remove, hand over ownership. */
export function MemberActions({ member, ownRole, isSelf }: MemberActionsProps) {
  const { t } = useTranslation("organizations");
  const id = useCssId();
  const grantable = rolesBelow(ownRole);
  if (isSelf || !grantable.includes(member.role)) return null;
  const name = isolate(member.name || member.email);
  const [role, transfer, remove] = [`${id}-role`, `${id}-transfer`, `${id}-remove`];
  const target = <input type="hidden" name="member" value={member.id} />;
  return (
    <>
      <ActionMenu label={t("membersList.actions", { name })}>
        <ActionMenuItem drawer={role} icon="pencil">
          {t("membersList.setRole")}
        </ActionMenuItem>
        {ownRole === "owner" && (
          <ActionMenuItem drawer={transfer} icon="key-round">
            {t("membersList.transfer")}
          </ActionMenuItem>
        )}
        <ActionMenuItem drawer={remove} icon="x">
          {t("membersList.remove")}
        </ActionMenuItem>
      </ActionMenu>
      <ConfirmDrawer
        openedById={role}
        intent="set-role"
        icon="pencil"
        trigger={t("membersList.setRole")}
        text={t("membersList.setRoleText", { name })}
      >
        {target}
        <RoleChoice roles={grantable} value={member.role} />
      </ConfirmDrawer>
      {ownRole === "owner" && (
        <ConfirmDrawer
          openedById={transfer}
          intent="transfer"
          icon="key-round"
          trigger={t("membersList.transfer")}
          text={t("membersList.transferText", { name })}
        >
          {target}
        </ConfirmDrawer>
      )}
      <ConfirmDrawer
        openedById={remove}
        intent="remove"
        icon="x"
        trigger={t("membersList.remove")}
        text={t("membersList.removeText", { name })}
      >
        {target}
      </ConfirmDrawer>
    </>
  );
}
