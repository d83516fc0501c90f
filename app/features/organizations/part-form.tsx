import { href, useLocation, useNavigation } from "react-router";
import { Button, ButtonLink } from "../../ui/forms/button.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { roleCan } from "../access/organization-permissions.ts";
import type { OrganizationRole } from "../access/role-names.ts";

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

/** The form of each part with a list: on a phone its link is in the list's toolbar. */
export const LIST_FORMS = {
  members: "invite",
  invitations: "invite",
  repositories: "share",
} as const satisfies Record<string, PartForm>;

/** The form of each part without a list's toolbar: on a phone its link is below the links to the parts. */
export const HEADER_FORMS = {
  overview: "invite",
  teams: "new",
} as const satisfies Record<string, PartForm>;

export function useIsFormAsked(form: PartForm): boolean {
  return new URLSearchParams(useLocation().search).has(form);
}

/** What the link to a form needs of an organization. */
export type PartFormFrame = {
  slug: string;
  role: OrganizationRole;
  disabledAt: Date | null;
  deletionDueAt: Date | null;
};

type PartFormLinkProps = {
  form: PartForm;
  frame: PartFormFrame;
  className?: string;
};

/**
 * Link that opens a form; nothing beside a form that stands above the list, for members who may not use it, and where
 * nothing can change.
 */
export function PartFormLink({ form, frame, className = "" }: PartFormLinkProps) {
  const { t } = useTranslation("organizations");
  const isOpen = useIsFormAsked(form);
  const { slug, role, disabledAt, deletionDueAt } = frame;
  const { path, isAllowed, icon, label, isDrawer } = FORMS[form];
  if (disabledAt || deletionDueAt) return null;
  if ((isOpen && !isDrawer) || !isAllowed(role)) return null;
  const link = { to: `${href(path, { slug })}?${form}`, preventScrollReset: isDrawer };
  return (
    <ButtonLink {...link} isSmall className={className}>
      <Icon name={icon} className="size-4" />
      {t(label)}
    </ButtonLink>
  );
}

/** Returns the link to a part's form for a phone: at the end of the list's toolbar, or in place of an empty list. */
export function phoneLinkOf(part: keyof typeof LIST_FORMS, frame: PartFormFrame) {
  const link = <PartFormLink form={LIST_FORMS[part]} frame={frame} className="sm:hidden" />;
  return { toolbarEnd: link, emptyAction: link };
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
