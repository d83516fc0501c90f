import type { ReactNode } from "react";
import { href } from "react-router";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { PartLinks } from "../../ui/layout/part-links.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";

const PARTS = [
  { name: "access", to: href("/manager/settings/access") },
  { name: "waiting-list", to: href("/manager/settings/waiting-list") },
  { name: "brand", to: href("/manager/settings/brand") },
  { name: "roles", to: href("/manager/settings/roles") },
] as const;

type SettingsFrameProps = {
  /** The part of the settings that the screen shows. */
  part: (typeof PARTS)[number]["name"];
  children: ReactNode;
};

/** Title and parts of the site's settings, around each of their screens. */
export function SettingsFrame({ part, children }: SettingsFrameProps) {
  const { t } = useTranslation("settings");
  return (
    <div className="grid gap-6">
      <ScreenTitle>{`${t(`nav.${part}`)} · ${t("title")}`}</ScreenTitle>
      <ScreenHeader title={t("title")} />
      <PartLinks
        label={t("nav.label")}
        parts={PARTS.map(({ name, to }) => ({
          to,
          label: t(`nav.${name}`),
          isCurrent: name === part,
        }))}
      />
      {children}
    </div>
  );
}
