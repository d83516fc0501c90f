import { ActionMenu, type MenuQuestion } from "../../../ui/overlays/action-menu.tsx";
import { isolate } from "../../../ui/text/isolate.ts";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { rolesBelow } from "../../access/organization-permissions.ts";
import type { OrganizationRole } from "../../access/role-names.ts";
import { RoleChoice } from "./role-choice.tsx";

type MemberActionsProps = {
  member: { id: string; name: string; email: string; role: OrganizationRole };
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
  const setRole = {
    intent: "set-role",
    needsProof: true,
    icon: "pencil",
    title: t("membersList.setRole"),
    text: t("membersList.setRoleText", { name }),
    needsChange: true,
    children: (
      <>
        {target}
        <RoleChoice roles={grantable} value={member.role} current={member.role} />
      </>
    ),
  } satisfies MenuQuestion;
  const transfer = {
    intent: "transfer",
    needsProof: true,
    icon: "key-round",
    title: t("membersList.transfer"),
    text: t("membersList.transferText", { name }),
    children: target,
  } satisfies MenuQuestion;
  const remove = {
    intent: "remove",
    needsProof: true,
    icon: "x",
    title: t("membersList.remove"),
    text: t("membersList.removeText", { name }),
    children: target,
  } satisfies MenuQuestion;
  return (
    <ActionMenu
      label={t("membersList.actions", { name })}
      questions={ownRole === "owner" ? [setRole, transfer, remove] : [setRole, remove]}
    />
  );
}
