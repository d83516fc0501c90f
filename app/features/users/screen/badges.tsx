import { Badge, QuietState } from "../../../ui/text/badge.tsx";
import { Icon } from "../../../ui/text/icon.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { useFormat } from "../../../ui/text/use-format.ts";
import { rolesOf } from "../../access/permissions.ts";
import type { Role } from "../../access/role-names.ts";
import type { ShownStatus } from "../list/user-queries.server.ts";

const TONES: Record<Exclude<ShownStatus, "active">, string> = {
  // Nothing is wrong, and it differs from the badge of a role beside it.
  added: "border-dashed border-line-strong text-muted",
  invited: "border-dashed border-line-strong text-muted",
  bounced: "border-warning-line bg-warning-fill",
  banned: "border-danger-line bg-danger-fill",
  "not-onboarded": "border-warning-line bg-warning-fill",
  unverified: "border-warning-line bg-warning-fill",
};

export function StatusBadge({ status }: { status: ShownStatus }) {
  const { t } = useTranslation("users");
  if (status === "active") return <QuietState>{t("statuses.active")}</QuietState>;
  return <Badge tone={TONES[status]}>{t(`statuses.${status}`)}</Badge>;
}

/** The mark of a role that not every user has, where there is no room for its name. */
export function RoleMark({ roles }: { roles: readonly Role[] }) {
  const { t } = useTranslation("users");
  const others = roles.filter((role) => role !== "user");
  if (others.length === 0) return null;
  return (
    <span className="list-narrow">
      <Icon name="shield" className="size-3.5 text-accent-ink" />
      <span className="sr-only">{others.map((role) => t(`roles.${role}`)).join(", ")}</span>
    </span>
  );
}

/** All roles of a user. The one that every user has stays quiet, so that the others are seen. */
export function RoleBadges({ roles }: { roles: readonly Role[] }) {
  const { t } = useTranslation("users");
  const badges = roles.map((role) =>
    role === "user" ? (
      <span key={role} className="text-sm text-muted">
        {t(`roles.${role}`)}
      </span>
    ) : (
      <Badge key={role} tone="border-accent-line bg-accent-fill">
        {t(`roles.${role}`)}
      </Badge>
    ),
  );
  return badges.length === 1 ? badges : <span className="flex flex-wrap gap-1">{badges}</span>;
}

/** Returns a function that names the roles of a stored list: "Support and Auditor". */
export function useRoleNames() {
  const { t } = useTranslation("users");
  const format = useFormat();
  return (role: string | undefined) =>
    format.list(rolesOf({ role }).map((one) => t(`roles.${one}`)));
}
