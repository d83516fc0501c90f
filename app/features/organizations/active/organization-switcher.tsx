import type { ReactNode } from "react";
import { Form, href, Link } from "react-router";
import { closePopover } from "../../../ui/overlays/close-popover.ts";
import { Menu } from "../../../ui/overlays/menu.tsx";
import { Icon } from "../../../ui/text/icon.tsx";
import { isolate } from "../../../ui/text/isolate.ts";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { OrganizationLogo } from "../organization-logo.tsx";

type Organization = {
  id: string;
  name: string;
  logo: string | null;
  disabledAt: Date | null;
  deletionDueAt: Date | null;
};

type OrganizationSwitcherProps = {
  organizations: Organization[];
  /** Undefined when the user works in none. */
  activeOrganization: Organization | undefined;
  here: string;
};

/** Menu of the user's organizations. The chosen one is active in this session and at the next sign-in. */
export function OrganizationSwitcher(props: OrganizationSwitcherProps) {
  const { organizations, activeOrganization: active, here } = props;
  const { t } = useTranslation("app");
  const activeName = active?.name ?? t("organizations.personal");
  return (
    <Menu
      isAtStart
      label={t("organizations.switch", { name: isolate(activeName) })}
      triggerClassName="menu-button shrink px-1 font-medium text-ink"
      trigger={
        <>
          {active ? (
            <OrganizationLogo {...active} />
          ) : (
            <Icon name="circle-user" className="size-5 shrink-0 sm:m-1.5" />
          )}
          <bdi className="max-w-40 truncate md:hidden xl:block">{activeName}</bdi>
          <Icon name="chevrons-up-down" className="size-4 shrink-0 text-muted" />
        </>
      }
    >
      <Form method="post" action={href("/app/active-organization")} className="grid sm:max-w-72">
        <input type="hidden" name="intent" value="organization" />
        <input type="hidden" name="back" value={here} />
        <Choice id="" isActive={!active}>
          <Icon name="circle-user" className="m-1.5 size-5 shrink-0 text-muted" />
          <span className="grow">{t("organizations.personal")}</span>
        </Choice>
        {organizations.map((organization) => (
          <Choice
            key={organization.id}
            id={organization.id}
            isActive={organization.id === active?.id}
          >
            <OrganizationLogo {...organization} />
            <span className="grid min-w-0 grow grid-cols-1 py-1.5">
              <span className="line-clamp-2">
                <bdi>{organization.name}</bdi>
              </span>
              <State organization={organization} />
            </span>
          </Choice>
        ))}
      </Form>
      <div className="mt-1 border-t border-line pt-1">
        <Link to={href("/app/organizations")} className="menu-item" onClick={closePopover}>
          <Icon name="building-2" className="m-1.5 size-5 shrink-0 text-muted" />
          {t("organizations.all")}
        </Link>
        <Link to={href("/app/organizations/new")} className="menu-item" onClick={closePopover}>
          <Icon name="plus" className="m-1.5 size-5 shrink-0 text-muted" />
          {t("organizations.new")}
        </Link>
      </div>
    </Menu>
  );
}

type ChoiceProps = { id: string; isActive: boolean; children: ReactNode };

function Choice({ id, isActive, children }: ChoiceProps) {
  return (
    <button
      type="submit"
      name="organization"
      value={id}
      aria-current={isActive ? "true" : undefined}
      className="menu-item aria-[current]:font-medium"
      onClick={closePopover}
    >
      {children}
      {isActive && <Icon name="check" className="size-4 shrink-0 text-accent-ink" />}
    </button>
  );
}

/** Says that nothing in the organization can be changed. */
function State({ organization }: { organization: Organization }) {
  const { t } = useTranslation("app");
  const { disabledAt, deletionDueAt } = organization;
  if (!disabledAt && !deletionDueAt) return null;
  return (
    <span className="text-xs text-muted">
      {deletionDueAt ? t("organizations.beingDeleted") : t("organizations.disabled")}
    </span>
  );
}
