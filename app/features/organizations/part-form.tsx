import { href, useLocation, useNavigation } from "react-router";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { type OrganizationRole, roleCan } from "../access/organization-permissions.ts";

/**
 * The forms of the parts of an organization, which the URL's parameter opens: above the list of the part, or in a
 * drawer.
 */
const FORMS = {
  invite: {
    path: "/app/organizations/:slug/invitations",
    isAllowed: (role: OrganizationRole) => roleCan(role, "invitation", "create"),
    icon: "user-plus",
    label: "membersList.invite",
    isDrawer: false,
  },
  new: {
    path: "/app/organizations/:slug/teams",
    isAllowed: (role: OrganizationRole) => roleCan(role, "team", "create"),
    icon: "plus",
    label: "teams.new",
    isDrawer: false,
  },
  share: {
    path: "/app/organizations/:slug/repositories",
    isAllowed: (role: OrganizationRole) => roleCan(role, "repository", "create"),
    icon: "plus",
    label: "repositories.share",
    isDrawer: true,
  },
} as const;

export type PartForm = keyof typeof FORMS;

/** True when the URL asks for the form. */
export function useIsFormAsked(form: PartForm): boolean {
  return new URLSearchParams(useLocation().search).has(form);
}

type PartFormLinkProps = {
  form: PartForm;
  frame: { slug: string; role: OrganizationRole };
  /** Its place among the elements around it. */
  className: string;
};

/** Link that opens a form; nothing beside a form that stands above the list, and for members who may not use it. */
export function PartFormLink({ form, frame: { slug, role }, className }: PartFormLinkProps) {
  const { t } = useTranslation("organizations");
  const isOpen = useIsFormAsked(form);
  const { path, isAllowed, icon, label, isDrawer } = FORMS[form];
  if ((isOpen && !isDrawer) || !isAllowed(role)) return null;
  return (
    <ButtonLink
      isSmall
      to={`${href(path, { slug })}?${form}`}
      preventScrollReset={isDrawer}
      className={className}
    >
      <Icon name={icon} className="size-4" />
      {t(label)}
    </ButtonLink>
  );
}

/** Sends an open form, or closes it. */
export function PartFormButtons({ intent, label }: { intent: string; label: string }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const isBusy = useNavigation().formMethod === "POST";
  return (
    <div className="flex flex-wrap gap-3">
      <Button isBusy={isBusy} name="intent" value={intent}>
        {label}
      </Button>
      <ButtonLink variant="secondary" to={pathname} preventScrollReset>
        {t("actions.cancel")}
      </ButtonLink>
    </div>
  );
}
