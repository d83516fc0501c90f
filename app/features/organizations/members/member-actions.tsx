import { ConfirmDrawer } from "../../../ui/confirm-drawer.tsx";
import { isolate } from "../../../ui/isolate.ts";
import { useTranslation } from "../../../ui/translation.tsx";
import { type OrganizationRole, rolesBelow } from "../../access/organization-permissions.ts";
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
  const grantable = rolesBelow(ownRole);
  if (isSelf || !grantable.includes(member.role)) return null;
  const name = isolate(member.name || member.email);
  const target = <input type="hidden" name="member" value={member.id} />;
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">{t("membersList.actions", { name })}</legend>
      <ConfirmDrawer
        intent="set-role"
        triggerVariant="quiet"
        trigger={t("membersList.setRole")}
        text={t("membersList.setRoleText", { name })}
      >
        {target}
        <RoleChoice roles={grantable} value={member.role} />
      </ConfirmDrawer>
      {ownRole === "owner" && (
        <ConfirmDrawer
          intent="transfer"
          triggerVariant="quiet"
          trigger={t("membersList.transfer")}
          text={t("membersList.transferText", { name })}
          isDestructive
        >
          {target}
        </ConfirmDrawer>
      )}
      <ConfirmDrawer
        intent="remove"
        triggerVariant="quiet"
        trigger={t("membersList.remove")}
        text={t("membersList.removeText", { name })}
        isDestructive
      >
        {target}
      </ConfirmDrawer>
    </fieldset>
  );
}
