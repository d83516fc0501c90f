import type { ReactNode } from "react";
import { href, Link } from "react-router";
import { Avatar } from "../../ui/avatar.tsx";
import { isolate } from "../../ui/isolate.ts";
import { Panel } from "../../ui/panel.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import type { OrganizationRole } from "../access/organization-permissions.ts";
import type { AuditAction } from "../audit/actions.ts";
import { RoleBadge } from "./organization-badges.tsx";

type Event = {
  id: string;
  action: string;
  createdAt: Date;
  /** Names of the user who did it, and of the member it is about. */
  actor: string | null;
  subject: string | null;
  /** Name of the team or repository it is about. */
  thing: string | undefined;
};

type OrganizationOverviewProps = {
  frame: { slug: string; memberCount: number };
  repositories: { id: string; name: string; link: string }[];
  hasMoreRepositories: boolean;
  members: {
    id: string;
    name: string;
    email: string;
    avatar: string | null;
    role: OrganizationRole;
  }[];
  events: Event[];
  now: Date;
};

/** Shared repositories, members, and what happened. */
export function OrganizationOverview(props: OrganizationOverviewProps) {
  const { frame, repositories, members, events, now } = props;
  const { t } = useTranslation("organizations");
  const { slug } = frame;
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Panel
        title={t("overview.repositories")}
        action={
          <PanelLink to={href("/app/organizations/:slug/repositories", { slug })}>
            {t("overview.allRepositories")}
          </PanelLink>
        }
      >
        {repositories.length === 0 ? (
          <p className="text-sm text-muted">{t("overview.noRepositories")}</p>
        ) : (
          <ul className="grid gap-1">
            {repositories.map(({ id, name }) => (
              <li key={id} className="min-w-0">
                <Link
                  to={href("/app/repositories/:id", { id })}
                  className="inline-flex min-h-11 max-w-full items-center text-sm font-medium text-accent-ink underline underline-offset-4"
                >
                  <bdi className="truncate">{name}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <Panel
        title={t("overview.members")}
        action={
          <PanelLink to={href("/app/organizations/:slug/members", { slug })}>
            {t("overview.allMembers", { count: frame.memberCount })}
          </PanelLink>
        }
      >
        <ul className="grid gap-3">
          {members.map(({ id, role, ...person }) => (
            <li key={id} className="flex min-w-0 items-center gap-3 text-sm">
              <Avatar {...person} />
              <span className="min-w-0 grow truncate">
                <bdi>{person.name || person.email}</bdi>
              </span>
              <RoleBadge role={role} />
            </li>
          ))}
        </ul>
      </Panel>
      <div className="lg:col-span-2">
        <Panel title={t("overview.events")}>
          {events.length === 0 ? (
            <p className="text-sm text-muted">{t("overview.noEvents")}</p>
          ) : (
            <ol className="grid gap-3 text-sm">
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

/** One event: what happened, to which member, team or repository, its actor and its time. */
function EventLine({ event, now }: { event: Event; now: Date }) {
  const { t } = useTranslation("organizations");
  const { t: eventName } = useTranslation("events");
  const { action, actor, subject, thing, createdAt } = event;
  const name = eventName(action as AuditAction);
  const about = [subject !== actor ? subject : undefined, thing].filter((part) => part != null);
  return (
    <li className="flex flex-wrap justify-between gap-x-3 gap-y-1">
      <span className="min-w-0 wrap-anywhere">
        {about.length > 0
          ? t("overview.about", { event: name, thing: about.map(isolate).join(" · ") })
          : name}{" "}
        {actor && <span className="text-muted">{t("overview.by", { name: isolate(actor) })}</span>}
      </span>
      <span className="text-muted">
        <RelativeTime date={createdAt} now={now} />
      </span>
    </li>
  );
}

function PanelLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      className="inline-flex min-h-11 items-center text-sm text-accent-ink underline underline-offset-4"
    >
      {children}
    </Link>
  );
}
