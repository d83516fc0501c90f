import type { ReactNode } from "react";
import { href, useLocation } from "react-router";
import type { MessageKey } from "../../i18n/message-key.ts";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { PartLinks } from "../../ui/layout/part-links.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { useText, useTranslation } from "../../ui/text/translation.tsx";
import { navigationIn } from "../access/navigation.ts";

type Part = { name?: string; to: string; label: MessageKey };

const PARTS: readonly Part[] = [
  { to: href("/manager/settings/access"), label: "settings:nav.access" },
  { to: href("/manager/settings/security"), label: "settings:nav.security" },
  { to: href("/manager/settings/brand"), label: "settings:nav.brand" },
  ...navigationIn("settings"),
  { name: "system", to: href("/manager/settings/system"), label: "settings:nav.system" },
];

type SettingsFrameProps = {
  hasTroubles: boolean;
  children: ReactNode;
};

/** Title and parts of the site's settings, around each of their screens. */
export function SettingsFrame({ hasTroubles, children }: SettingsFrameProps) {
  const { t } = useTranslation("settings");
  const text = useText();
  const manager = useTranslation("manager").t;
  const { pathname } = useLocation();
  const current = PARTS.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`));
  return (
    <div className="grid gap-6">
      <ScreenTitle>{current ? `${text(current.label)} · ${t("title")}` : t("title")}</ScreenTitle>
      <ScreenHeader title={t("title")} />
      <PartLinks
        label={t("nav.label")}
        parts={PARTS.map((part) => ({
          to: part.to,
          label: text(part.label),
          mark: part.name === "system" && hasTroubles && manager("troubles"),
          isCurrent: part === current,
        }))}
      />
      {children}
    </div>
  );
}
