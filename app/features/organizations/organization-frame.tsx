import { type ReactNode, useEffect, useRef } from "react";
import { href, Link, NavLink, useLocation } from "react-router";
import { ButtonLink } from "../../ui/button.tsx";
import { ScreenTitle } from "../../ui/document.tsx";
import { Icon } from "../../ui/icon.tsx";
import { isolate } from "../../ui/isolate.ts";
import { Notice } from "../../ui/notice.tsx";
import { Breadcrumb, ScreenHeader } from "../../ui/screen-header.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { type OrganizationRole, roleCan } from "../access/organization-permissions.ts";
import { RoleBadge, StateBadge } from "./organization-badges.tsx";
import { OrganizationLogo } from "./organization-logo.tsx";
import type { OrganizationFrame as Frame } from "./organization-page.server.ts";

type OrganizationFrameProps = {
  frame: Frame;
  /** Title of the screen: one of the parts of the organization. */
  part: "overview" | "members" | "teams" | "invitations" | "repositories" | "settings";
  children: ReactNode;
};

/** Name, state and parts of an organization, around each of its screens. */
export function OrganizationFrame({ frame, part, children }: OrganizationFrameProps) {
  const { t } = useTranslation("organizations");
  const format = useFormat();
  const { id, name, slug, logo, role, disabledAt, disabledReason, deletionDueAt } = frame;
  return (
    <div className="grid gap-6">
      <ScreenTitle>{`${t(`nav.${part}`)} · ${name}`}</ScreenTitle>
      <header className="grid gap-4">
        <ScreenHeader
          breadcrumb={
            <Breadcrumb label={t("title")}>
              {[
                <Link key="list" to={href("/app/organizations")}>
                  {t("title")}
                </Link>,
                <bdi key="name" aria-current="page" className="truncate">
                  {name}
                </bdi>,
              ]}
            </Breadcrumb>
          }
          title={
            <span className="flex min-w-0 items-center gap-3">
              <OrganizationLogo id={id} name={name} logo={logo} />
              <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
            </span>
          }
          badges={
            <>
              <RoleBadge role={role} />
              <StateBadge organization={frame} />
            </>
          }
        >
          {(part === "overview" || part === "members") && <InviteLink frame={frame} />}
        </ScreenHeader>
        {deletionDueAt && (
          <Notice kind="warning">
            {t("notice.deleting", { date: isolate(format.moment(deletionDueAt)) })}
          </Notice>
        )}
        {disabledAt && (
          <Notice kind="warning">
            {t("notice.disabled")}{" "}
            {disabledReason && t("notice.reason", { reason: isolate(disabledReason) })}
          </Notice>
        )}
        <Parts slug={slug} role={role} />
      </header>
      {children}
    </div>
  );
}

/** Link to the form that invites people; nothing for members who may not, or while nothing can be changed. */
function InviteLink({ frame }: { frame: Frame }) {
  const { t } = useTranslation("organizations");
  const { slug, role, disabledAt, deletionDueAt } = frame;
  if (!roleCan(role, "invitation", "create") || disabledAt || deletionDueAt) return null;
  return (
    <ButtonLink isSmall to={href("/app/organizations/:slug/invitations", { slug })}>
      <Icon name="user-plus" className="size-4" />
      {t("membersList.invite")}
    </ButtonLink>
  );
}

/** Links to the parts of an organization. */
function Parts({ slug, role }: { slug: string; role: OrganizationRole }) {
  const { t } = useTranslation("organizations");
  const parts = [
    [href("/app/organizations/:slug", { slug }), t("nav.overview")],
    [href("/app/organizations/:slug/members", { slug }), t("nav.members")],
    [href("/app/organizations/:slug/teams", { slug }), t("nav.teams")],
    ...(roleCan(role, "invitation", "create")
      ? ([[href("/app/organizations/:slug/invitations", { slug }), t("nav.invitations")]] as const)
      : []),
    [href("/app/organizations/:slug/repositories", { slug }), t("nav.repositories")],
    [href("/app/organizations/:slug/settings", { slug }), t("nav.settings")],
  ] as const;
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();

  // Outside React: the scroll position. On a phone the links are wider than the screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each navigation
  useEffect(() => {
    nav.current
      ?.querySelector('[aria-current="page"]')
      ?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [pathname]);

  return (
    <nav
      ref={nav}
      aria-label={t("nav.label")}
      className="-mx-4 overflow-x-auto px-4 md:mx-0 md:px-0"
    >
      <ul className="flex w-max min-w-full gap-1 border-b border-line">
        {parts.map(([path, label], index) => (
          <li key={path}>
            <NavLink to={path} end={index === 0} className={partClass}>
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function partClass({ isActive }: { isActive: boolean }): string {
  return `-mb-px inline-flex min-h-control items-center border-b-2 px-3 text-sm font-medium whitespace-nowrap ${isActive ? "border-accent text-ink" : "border-transparent text-muted hover:text-ink"}`;
}
