import type { ReactNode } from "react";
import { href } from "react-router";
import { Panel, PanelLink } from "../../ui/layout/panel.tsx";
import { Avatar } from "../../ui/text/avatar.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { LoneTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { OrganizationRole } from "../access/role-names.ts";
import type { AuditAction } from "../audit/actions.ts";
import { EventIcon } from "../audit/event-icon.tsx";
import { RoleBadge, StandingBadges } from "./organization-badges.tsx";

type Event = {
  id: string;
  action: string;
  createdAt: Date;
  /** Names of the user who did it, and of the member it is about when that says more. */
  actor: string | null;
  subject: string | null;
  /** Name of another thing it is about, such as a team. */
  thing: string | undefined;
  newRole: OrganizationRole | undefined;
};

type OrganizationOverviewProps = {
  frame: { slug: string; role: OrganizationRole; memberCount: number };
  members: {
    id: string;
    name: string;
    email: string;
    avatar: string | null;
    role: OrganizationRole;
    isBanned: boolean;
    isBeingDeleted: boolean;
  }[];
  events: Event[];
  now: Date;
  /** Panels of features. */
  children: ReactNode;
};

/** The panels of features beside members, and below them what happened. */
export function OrganizationOverview(props: OrganizationOverviewProps) {
  const { frame, members, events, now, children } = props;
  const { t } = useTranslation("organizations");
  const { slug } = frame;
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
      {children}
      <Panel
        title={t("overview.members")}
        action={
          <PanelLink to={href("/app/organizations/:slug/members", { slug })}>
            {t("overview.allMembers", { count: frame.memberCount })}
          </PanelLink>
        }
      >
        <ul className="-my-1 grid">
          {members.map(({ id, role, isBanned, isBeingDeleted, ...person }) => (
            <li key={id} className="flex min-h-11 min-w-0 items-center gap-3 text-sm">
              <Avatar {...person} />
              <span className="flex min-w-0 grow">
                <bdi className="truncate">{person.name || person.email}</bdi>
              </span>
              <span className="flex max-w-3/5 shrink-0 flex-wrap justify-end gap-x-2 gap-y-1">
                <RoleBadge role={role} />
                <StandingBadges isBanned={isBanned} isBeingDeleted={isBeingDeleted} />
              </span>
            </li>
          ))}
        </ul>
      </Panel>
      <div className="grid lg:col-span-2">
        <Panel title={t("overview.events")}>
          {events.length === 0 ? (
            <p className="text-sm text-muted">{t("overview.noEvents")}</p>
          ) : (
            <ol className="divide-y divide-line text-sm">
              {events.map((event) => (
                <EventLine key={event.id} event={event} now={now} />
              ))}
            </ol>
          )}
        </Panel>
      </div>
    </div>
  );
}

/** One event: what happened, to which member or thing, its actor and its time. */
function EventLine({ event, now }: { event: Event; now: Date }) {
  const { t } = useTranslation("organizations");
  const { t: eventName } = useTranslation("events");
  const { action, actor, subject, thing, newRole, createdAt } = event;
  const name = eventName(action as AuditAction);
  const about = [subject, thing, newRole && t(`roles.${newRole}`)].filter((part) => part != null);
  return (
    <li className="flex items-center gap-3 py-3 first:pt-0 last:pb-0">
      <EventIcon action={action} />
      <div className="grid min-w-0 grow gap-1 wrap-anywhere">
        <span className="font-medium">
          {about.length > 0
            ? t("overview.about", { event: name, thing: about.map(isolate).join(" · ") })
            : name}
        </span>
        {actor && (
          <span className="text-xs text-muted">{t("overview.by", { name: isolate(actor) })}</span>
        )}
      </div>
      <LoneTime date={createdAt} now={now} className="shrink-0" />
    </li>
  );
}
