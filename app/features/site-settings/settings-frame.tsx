import type { ReactNode } from "react";
import { href, useLocation } from "react-router";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { PartLinks } from "../../ui/layout/part-links.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";

const PARTS = [
  { name: "access", to: href("/manager/settings/access") },
  { name: "security", to: href("/manager/settings/security") },
  { name: "brand", to: href("/manager/settings/brand") },
  { name: "webhooks", to: href("/manager/settings/webhooks") },
  { name: "waiting-list", to: href("/manager/settings/waiting-list") },
  { name: "system", to: href("/manager/settings/system") },
] as const;

type SettingsFrameProps = {
  /** True while the login page offers the waiting list. */
  hasWaitingList: boolean;
  hasTroubles: boolean;
  children: ReactNode;
};

/** Title and parts of the site's settings, around each of their screens. */
export function SettingsFrame({ hasWaitingList, hasTroubles, children }: SettingsFrameProps) {
  const { t } = useTranslation("settings");
  const manager = useTranslation("manager").t;
  const { pathname } = useLocation();
  const current = PARTS.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`));
  const parts = PARTS.filter(
    (part) => part.name !== "waiting-list" || hasWaitingList || part === current,
  );
  return (
    <div className="grid gap-6">
      <ScreenTitle>
        {current ? `${t(`nav.${current.name}`)} · ${t("title")}` : t("title")}
      </ScreenTitle>
      <ScreenHeader title={t("title")} />
      <PartLinks
        label={t("nav.label")}
        parts={parts.map((part) => ({
          to: part.to,
          label: t(`nav.${part.name}`),
          mark: part.name === "system" && hasTroubles && manager("troubles"),
          isCurrent: part === current,
        }))}
      />
      {children}
    </div>
  );
}
