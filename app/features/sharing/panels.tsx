import { href, Link, useLocation } from "react-router";
import type { FeaturePanels, PanelProps } from "../../feature.ui.ts";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { Panel, PanelLink } from "../../ui/layout/panel.tsx";
import { Fact } from "../../ui/text/fact.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { ShortLink } from "../../ui/text/short-link.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { roleCan } from "../access/organization-permissions.ts";
import { PermittedLink } from "../access/use-can.tsx";
import { DrawerLink } from "../organizations/office/drawer-link.tsx";
import type { sharingServer } from "./feature.server.ts";
import type { sharing } from "./feature.ts";
import { HomeShared } from "./home-shared.tsx";
import { NoneSharedInto, SharedInto } from "./list-texts.tsx";
import { OrganizationLinks } from "./organization-links.tsx";
import { ShareControl, UnshareDrawer } from "./repository-drawers.tsx";
import { SharingPanel } from "./sharing-panel.tsx";

type Server = typeof sharingServer;
type ShownIn<Name extends keyof Server["panels"]> = ReturnType<
  ReturnType<Server["panels"][Name]>["means"]
>;

type OverviewProps = PanelProps<"organizationOverview", ShownIn<"organization-repositories">>;

/** The repositories that were shared last, and a link to all; without any, a link to share one. */
function OrganizationRepositories({ subject, shown }: OverviewProps) {
  const { repositories, count } = shown;
  const { t } = useTranslation("organizations");
  const { slug, role } = subject;
  const all = href("/app/organizations/:slug/repositories", { slug });
  if (repositories.length === 0) {
    return (
      <Panel title={t("overview.repositories")}>
        <p className="text-sm text-muted">{t("overview.noRepositories")}</p>
        {roleCan(role, "repository", "create") && (
          <p className="text-sm">
            <PanelLink to={`${all}?share`}>{t("repositories.share")}</PanelLink>
          </p>
        )}
      </Panel>
    );
  }
  return (
    <Panel
      title={t("overview.repositories")}
      action={<PanelLink to={all}>{t("overview.allRepositories", { count })}</PanelLink>}
    >
      <ul className="-mx-3 -my-1 grid">
        {repositories.map(({ id, name, link }) => (
          <li key={id} className="min-w-0">
            <Link
              to={href("/app/repositories/:id", { id })}
              className="group flex min-h-11 min-w-0 items-center gap-3 rounded-md px-3 py-1 text-sm hover:bg-fill"
            >
              <Icon name="folder-git-2" className="size-4 shrink-0 text-muted" />
              <bdi className="truncate font-medium group-hover:underline">{name}</bdi>
              <ShortLink link={link} className="ms-auto max-sm:hidden" />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

type OfficeProps = PanelProps<"officeOrganization", ShownIn<"office-repositories">>;

/** The repositories that are shared into an organization, and the changes that a manager may make. */
function OfficeRepositories({ subject, shown, now }: OfficeProps) {
  const { t } = useTranslation("manager-organizations");
  const { pathname, search } = useLocation();
  const { mayChange, result } = subject;
  const asked = new URLSearchParams(search).get("unshare");
  const unshared = shown.find(({ id }) => id === asked);
  return (
    <Panel
      title={t("repositories")}
      // After a change the form is drawn anew, which closes its drawer.
      action={mayChange && <ShareControl key={now.getTime()} result={result} />}
    >
      {mayChange && unshared && (
        <UnshareDrawer
          organization={subject}
          repository={unshared}
          field={{ name: "repository", value: unshared.id }}
          closeTo={pathname}
        />
      )}
      {shown.length === 0 ? (
        <p className="text-sm text-muted">{t("noRepositories")}</p>
      ) : (
        // There may be 500.
        <ul className="-me-2.5 grid max-h-96 overflow-y-auto text-sm">
          {shown.map(({ id, name }) => (
            <li key={id} className="flex items-center justify-between gap-3 pe-2.5">
              <PermittedLink
                permission={["repository", "read"]}
                to={href("/manager/repositories/:id", { id })}
                dir="auto"
                className="inline-flex min-h-control items-center text-accent-ink underline-offset-4 hover:underline"
              >
                {name}
              </PermittedLink>
              {mayChange && (
                <DrawerLink
                  to={`?unshare=${id}`}
                  icon="x"
                  label={t("unshare.row", { name: isolate(name) })}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** The repositories that are shared into the active organization. */
function HomeRepositories({
  subject: { organization },
  shown,
  now,
}: PanelProps<"home", ShownIn<"home-repositories">>) {
  if (!organization) return null;
  const { name, slug } = organization;
  const mayShare = mayShareIn(organization);
  return <HomeShared {...shown} organization={{ name, slug, mayShare }} now={now} />;
}

/** Leads to the form that shares a repository into the active organization. */
function HomeShare({ subject: { organization } }: PanelProps<"homeActions">) {
  const { t } = useTranslation("app");
  if (!organization || !mayShareIn(organization)) return null;
  const { slug } = organization;
  return (
    <ButtonLink isSmall to={`${href("/app/organizations/:slug/repositories", { slug })}?share`}>
      <Icon name="folder-plus" className="size-4" />
      {t("home.share")}
    </ButtonLink>
  );
}

type Organization = NonNullable<PanelProps<"home">["subject"]["organization"]>;

function mayShareIn({ isOpen, role }: Organization): boolean {
  return isOpen && roleCan(role, "repository", "create");
}

type RepositoryProps = PanelProps<"repositories:office", ShownIn<"repository-organizations">>;

/** The organizations that a repository is shared with, in the back-office. */
function RepositoryOrganizations({ subject, shown, now }: RepositoryProps) {
  const { result, id, name } = subject;
  return <SharingPanel repository={{ id, name }} organizations={shown} result={result} now={now} />;
}

type OwnProps = PanelProps<"repositories:app", ShownIn<"own-organizations">>;

/** The reader's organizations that a repository is shared with; nothing without any. */
function OwnOrganizations({ shown }: OwnProps) {
  const { t } = useTranslation("repositories");
  if (shown.length === 0) return null;
  return (
    <Fact term={t("sharedWithYours")}>
      <OrganizationLinks
        organizations={shown.map(({ slug, name }) => ({
          name,
          to: href("/app/organizations/:slug", { slug }),
        }))}
      />
    </Fact>
  );
}

export const sharingPanels = {
  "organization-repositories": OrganizationRepositories,
  "office-repositories": OfficeRepositories,
  "home-repositories": HomeRepositories,
  "home-share": HomeShare,
  "repository-organizations": RepositoryOrganizations,
  "own-organizations": OwnOrganizations,
  "shared-into": SharedInto,
  "none-shared-into": NoneSharedInto,
} satisfies FeaturePanels<typeof sharing, typeof sharingServer>;
