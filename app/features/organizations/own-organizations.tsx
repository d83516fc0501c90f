import { href, Link } from "react-router";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { NewLink } from "../../ui/layout/new-link.tsx";
import { rowsClass } from "../../ui/layout/panel.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { loadOwnOrganizations } from "./invitations/invitation-queries.server.ts";
import { RoleBadge, StateBadge } from "./organization-badges.tsx";
import { OrganizationLogo } from "./organization-logo.tsx";

type OwnOrganizationsProps = Awaited<ReturnType<typeof loadOwnOrganizations>>;

/** The invitations that wait for the user's answer, then the user's organizations. */
export function OwnOrganizations({ organizations, invitations }: OwnOrganizationsProps) {
  const { t } = useTranslation("organizations");
  const create = <NewLink to={href("/app/organizations/new")}>{t("new")}</NewLink>;
  return (
    <div className="grid gap-6">
      <ScreenHeader title={t("title")}>{organizations.length > 0 && create}</ScreenHeader>
      {invitations.length > 0 && <WaitingInvitations invitations={invitations} />}
      {organizations.length === 0 ? (
        <EmptyState title={t("emptyTitle")} text={t("empty")}>
          {create}
        </EmptyState>
      ) : (
        <OrganizationRows organizations={organizations} hasTitle={invitations.length > 0} />
      )}
    </div>
  );
}

type OrganizationRowsProps = Pick<OwnOrganizationsProps, "organizations"> & { hasTitle: boolean };

function OrganizationRows({ organizations, hasTitle }: OrganizationRowsProps) {
  const { t } = useTranslation("organizations");
  return (
    <div className="grid gap-3">
      {hasTitle && <h2 className="text-base font-semibold">{t("yours")}</h2>}
      <ul className={rowsClass}>
        {organizations.map((organization) => (
          <li key={organization.id} className="min-w-0">
            <Link
              prefetch="intent"
              to={href("/app/organizations/:slug", { slug: organization.slug })}
              className="flex min-w-0 items-center gap-3 px-4 py-3 text-sm transition-colors duration-150 hover:bg-fill sm:px-6"
            >
              <OrganizationLogo {...organization} />
              <span className="grid min-w-0 grow grid-cols-1 gap-1">
                <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
                  <bdi className="max-w-full truncate font-medium">{organization.name}</bdi>
                  <StateBadge organization={organization} />
                </span>
                <span className="text-muted">
                  {t("members", { count: organization.memberCount })}
                </span>
              </span>
              <RoleBadge role={organization.role} />
              <Icon name="chevron-right" className="size-4 shrink-0 text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function WaitingInvitations({ invitations }: Pick<OwnOrganizationsProps, "invitations">) {
  const { t } = useTranslation("organizations");
  return (
    <section aria-labelledby="waiting-invitations" className="grid gap-3">
      <h2 id="waiting-invitations" className="text-base font-semibold">
        {t("waiting.title")}
      </h2>
      <ul className="grid gap-4 rounded-md border border-accent-line bg-panel p-4 text-sm shadow-low sm:px-6">
        {invitations.map(({ id, name, logo, role, inviter }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3">
            <span className="flex min-w-0 items-center gap-3">
              <OrganizationLogo id={id} name={name} logo={logo} />
              <span className="grid min-w-0 gap-1">
                {/* A name of the other direction begins where the page's lines begin. */}
                <span className="font-medium wrap-anywhere">
                  <bdi>{name}</bdi>
                </span>
                <span className="text-muted">
                  {t("waiting.text", {
                    inviter: isolate(inviter),
                    role: t(`roles.${role ?? "member"}`),
                  })}
                </span>
              </span>
            </span>
            <ButtonLink
              variant="secondary"
              isSmall
              className="max-sm:ms-11"
              to={href("/invitations/:id", { id })}
            >
              {t("waiting.open")}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
