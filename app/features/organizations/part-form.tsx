import { generatePath, useLocation, useNavigation } from "react-router";
import { Button, ButtonLink } from "../../ui/forms/button.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useText, useTranslation } from "../../ui/text/translation.tsx";
import { roleMayDo } from "../access/organization-permissions.ts";
import type { OrganizationRole } from "../access/role-names.ts";
import { type PartForm, partOf } from "./organization-parts.ts";

/** True when the URL opens the form with this parameter. */
export function useIsFormAsked(parameter: string): boolean {
  return new URLSearchParams(useLocation().search).has(parameter);
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
  const text = useText();
  const { to, opens, needs, icon, label, isDrawer = false } = form;
  const isOpen = useIsFormAsked(opens.slice(1));
  const { slug, role, disabledAt, deletionDueAt } = frame;
  if (disabledAt || deletionDueAt) return null;
  if ((isOpen && !isDrawer) || !roleMayDo(role, needs)) return null;
  return (
    <ButtonLink
      to={generatePath(to, { slug }) + opens}
      preventScrollReset={isDrawer}
      isSmall
      className={className}
    >
      <Icon name={icon} className="size-4" />
      {text(label)}
    </ButtonLink>
  );
}

/** Returns the link to a part's form for a phone: at the end of the list's toolbar, or in place of an empty list. */
export function phoneLinkOf(part: string, frame: PartFormFrame) {
  const form = partOf(part)?.form;
  if (!form) return {};
  const link = <PartFormLink form={form} frame={frame} className="sm:hidden" />;
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
