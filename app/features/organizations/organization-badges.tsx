import { Badge } from "../../ui/text/badge.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import type { OrganizationRole } from "../access/role-names.ts";
import type { InvitationState } from "./invitations/invitation-queries.server.ts";

const ROLE_TONES: Record<OrganizationRole, string> = {
  owner: "border-accent-line bg-accent-fill",
  admin: "border-accent-line bg-accent-fill",
  member: "border-line bg-sunken",
};

export function RoleBadge({ role }: { role: OrganizationRole }) {
  const { t } = useTranslation("organizations");
  return <Badge tone={ROLE_TONES[role]}>{t(`roles.${role}`)}</Badge>;
}

/** Says whether a member cannot act now; nothing for others. */
export function StandingBadges(member: { isBanned: boolean; isBeingDeleted: boolean }) {
  const { t } = useTranslation("organizations");
  const tone = "border-danger-line bg-danger-fill";
  return (
    <>
      {member.isBanned && <Badge tone={tone}>{t("membersList.banned")}</Badge>}
      {member.isBeingDeleted && <Badge tone={tone}>{t("membersList.deleting")}</Badge>}
    </>
  );
}

type StateBadgeProps = { organization: { disabledAt: Date | null; deletionDueAt: Date | null } };

/** Says that an organization is disabled, or on which day it will be deleted; nothing for others. */
export function StateBadge({ organization }: StateBadgeProps) {
  const { t } = useTranslation("organizations");
  const format = useFormat();
  if (organization.deletionDueAt) {
    return (
      <Badge tone="border-danger-line bg-danger-fill">
        <Formatted>
          {t("state.deleting", { date: format.shortDay(organization.deletionDueAt) })}
        </Formatted>
      </Badge>
    );
  }
  if (!organization.disabledAt) return null;
  return <Badge tone="border-warning-line bg-warning-fill">{t("state.disabled")}</Badge>;
}

const INVITATION_TONES: Record<InvitationState, string> = {
  open: "border-warning-line bg-warning-fill",
  expired: "border-line bg-sunken",
  accepted: "border-success-line bg-success-fill",
  declined: "border-line bg-sunken",
  cancelled: "border-line bg-sunken",
};

export function InvitationBadge({ state }: { state: InvitationState }) {
  const { t } = useTranslation("organizations");
  return <Badge tone={INVITATION_TONES[state]}>{t(`invite.states.${state}`)}</Badge>;
}
