import { Badge } from "../../ui/badge.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import type { UserStatus } from "./user-queries.server.ts";

const TONES: Record<UserStatus, string> = {
  active: "border-success-line bg-success-fill",
  banned: "border-danger-line bg-danger-fill",
  "not-onboarded": "border-warning-line bg-warning-fill",
  unverified: "border-warning-line bg-warning-fill",
};

export function StatusBadge({ status }: { status: UserStatus }) {
  const { t } = useTranslation("users");
  return <Badge tone={TONES[status]}>{t(`statuses.${status}`)}</Badge>;
}

export function RoleBadge({ role }: { role: "admin" | "user" }) {
  const { t } = useTranslation("users");
  const tone = role === "admin" ? "border-accent-line bg-accent-fill" : "border-line bg-sunken";
  return <Badge tone={tone}>{t(`roles.${role}`)}</Badge>;
}
