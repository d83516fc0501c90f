import { href, Link, useLocation } from "react-router";
import { type RefusedForm, refusedFor } from "../../ui/forms/refused-form.ts";
import { Panel } from "../../ui/layout/panel.tsx";
import { ConfirmDrawer } from "../../ui/overlays/confirm-drawer.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useCan } from "../access/use-can.tsx";
import { DrawerLink } from "../organizations/office/drawer-link.tsx";
import { stateOf } from "../organizations/office/list-options.ts";
import { StateBadge } from "../organizations/office/state-badge.tsx";
import { OrganizationLogo } from "../organizations/organization-logo.tsx";
import { SlugField } from "../organizations/slug-field.tsx";
import { UnshareDrawer } from "./repository-drawers.tsx";

type SharingPanelProps = {
  repository: { id: string; name: string };
  organizations: {
    /** The first organizations by name. */
    shown: {
      id: string;
      name: string;
      logo: string | null;
      disabledAt: Date | null;
      deletionDueAt: Date | null;
    }[];
    hasMore: boolean;
  };
  /** Values and errors of a refused form of this screen. */
  result: RefusedForm;
  now: Date;
};

/** The organizations that a repository is shared with, and the changes that a manager may make. */
export function SharingPanel({
  repository,
  organizations: { shown, hasMore },
  result,
  now,
}: SharingPanelProps) {
  const { t } = useTranslation("manager-organizations");
  const mayChange = useCan()("organization", "update");
  const { pathname, search } = useLocation();
  // Nothing in a disabled organization can change, and nothing in one that is being deleted.
  const isOpen = (one: (typeof shown)[number]) => mayChange && stateOf(one) === "active";
  const asked = new URLSearchParams(search).get("unshare");
  const unshared = shown.find((one) => one.id === asked && isOpen(one));
  return (
    <Panel
      title={t("sharing.title")}
      // After a change the form is drawn anew, which closes its drawer.
      action={mayChange && <ShareWithOrganization key={now.getTime()} result={result} />}
    >
      {unshared && (
        <UnshareDrawer
          repository={repository}
          organization={unshared}
          field={{ name: "organization", value: unshared.id }}
          closeTo={pathname}
        />
      )}
      {shown.length === 0 ? (
        <p className="text-sm text-muted">{t("sharing.none")}</p>
      ) : (
        <ul className="-my-2 divide-y divide-line text-sm">
          {shown.map((one) => (
            <li key={one.id} className="flex min-w-0 items-center gap-3 py-1">
              <OrganizationLogo {...one} />
              <Link
                to={href("/manager/organizations/:id", { id: one.id })}
                className="inline-flex min-h-control min-w-0 items-center underline-offset-4 hover:underline"
              >
                <bdi className="truncate">{one.name}</bdi>
              </Link>
              {stateOf(one) !== "active" && <StateBadge state={stateOf(one)} />}
              {isOpen(one) && (
                <DrawerLink
                  to={`?unshare=${one.id}`}
                  icon="x"
                  label={t("unshare.with", { name: isolate(one.name) })}
                  className="ms-auto"
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {hasMore && <p className="text-sm text-muted">{t("sharing.more")}</p>}
    </Panel>
  );
}

/** Shares the repository with an organization, by its short name. */
function ShareWithOrganization({ result }: { result: RefusedForm }) {
  const { t } = useTranslation("manager-organizations");
  const shared = refusedFor(result, "share");
  return (
    <ConfirmDrawer
      intent="share"
      text={t("share.text")}
      refused={shared}
      icon="building-2"
      heading={t("sharing.share")}
      trigger={t("sharing.button")}
    >
      <SlugField
        label={t("slug")}
        hint={t("sharing.hint")}
        defaultValue={shared?.values.slug}
        errors={shared?.errors.slug}
        required
      />
    </ConfirmDrawer>
  );
}
