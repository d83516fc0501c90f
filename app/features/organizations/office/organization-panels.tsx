import type { ReactNode } from "react";
import { href } from "react-router";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Avatar } from "../../../ui/text/avatar.tsx";
import { Badge } from "../../../ui/text/badge.tsx";
import { EmailText } from "../../../ui/text/email-text.tsx";
import { Formatted } from "../../../ui/text/formatted.tsx";
import { isolate } from "../../../ui/text/isolate.ts";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { useFormat } from "../../../ui/text/use-format.ts";
import type { OrganizationRole } from "../../access/role-names.ts";
import { PermittedLink } from "../../access/use-can.tsx";
import { DrawerLink } from "./drawer-link.tsx";

const NAMESPACE = "manager-organizations";
const PLAIN_TONE = "border-line bg-sunken";

export type OrganizationMember = {
  id: string;
  userId: string;
  role: OrganizationRole;
  name: string;
  email: string;
  avatar: string | null;
  isBanned: boolean;
  isBeingDeleted: boolean;
};

type PanelProps = {
  action: ReactNode;
  /** True for links to the changes of a row. */
  mayChange: boolean;
};

type MembersPanelProps = PanelProps & { members: OrganizationMember[] };

/** The members, at most 100. */
export function MembersPanel({ members, mayChange, action }: MembersPanelProps) {
  const { t } = useTranslation(NAMESPACE);
  const common = useTranslation().t;
  return (
    <Panel title={t("members")} action={action}>
      <ul className="-my-2 grid divide-y divide-line text-sm">
        {members.map(({ id, userId, role, name, email, avatar, isBanned, isBeingDeleted }) => (
          <li key={userId} className="flex items-center gap-3 py-1.5">
            <PermittedLink
              permission={["user", "get"]}
              to={href("/manager/users/:id", { id: userId })}
              className="group flex min-h-11 min-w-0 flex-1 items-center gap-3"
            >
              <Avatar name={name} email={email} avatar={avatar} />
              <span className="grid min-w-0 grow grid-cols-1 justify-items-start *:max-w-full">
                {/* States stand below where the line is too short, so that the name keeps its room. */}
                <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  <span
                    className={`flex max-w-full items-center gap-x-2 gap-y-1 ${name ? "" : "flex-wrap"}`}
                  >
                    {name ? (
                      <bdi className="truncate font-medium underline-offset-4 group-hover:underline">
                        {name}
                      </bdi>
                    ) : (
                      <EmailText className="min-w-0 font-medium underline-offset-4 group-hover:underline">
                        {email}
                      </EmailText>
                    )}
                    <Badge
                      tone={role === "member" ? PLAIN_TONE : "border-accent-line bg-accent-fill"}
                    >
                      {t(`roles.${role}`)}
                    </Badge>
                  </span>
                  {isBanned && (
                    <Badge tone="border-danger-line bg-danger-fill">{t("member.banned")}</Badge>
                  )}
                  {isBeingDeleted && (
                    <Badge tone="border-warning-line bg-warning-fill">{t("member.deletion")}</Badge>
                  )}
                </span>
                {name && (
                  <EmailText className="text-muted sm:truncate sm:[&_wbr]:hidden">
                    {email}
                  </EmailText>
                )}
              </span>
            </PermittedLink>
            {mayChange && (
              <DrawerLink
                to={`?member=${id}`}
                icon="ellipsis"
                label={common("list.rowActions", { name: isolate(name || email) })}
              />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

type Invitation = { id: string; email: string; role: OrganizationRole | null; expiresAt: Date };

export function InvitationsPanel({ invitations, now }: { invitations: Invitation[]; now: Date }) {
  const { t } = useTranslation(NAMESPACE);
  const format = useFormat();
  return (
    <Panel title={t("invitations")}>
      {invitations.length === 0 ? (
        <p className="text-sm text-muted">{t("noInvitations")}</p>
      ) : (
        <ul className="grid gap-3 text-sm">
          {invitations.map(({ id, email, role, expiresAt }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
              <span className="grid justify-items-start">
                <EmailText>{email}</EmailText>
                <span className="text-muted">
                  <Formatted>{t("expires", { when: format.ago(expiresAt, now) })}</Formatted>
                </span>
              </span>
              <Badge tone={PLAIN_TONE}>{t(`roles.${role ?? "member"}`)}</Badge>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
