import type { ReactNode } from "react";
import { href, NavLink } from "react-router";
import { ScreenTitle } from "../../ui/document.tsx";
import { ScreenHeader } from "../../ui/screen-header.tsx";
import { useTranslation } from "../../ui/translation.tsx";

type SettingsFrameProps = {
  /** The part of the settings that the screen shows. */
  part: "access" | "waiting-list" | "roles";
  children: ReactNode;
};

/** Title and parts of the site's settings, around each of their screens. */
export function SettingsFrame({ part, children }: SettingsFrameProps) {
  const { t } = useTranslation("settings");
  const parts = [
    [href("/manager/settings/access"), t("nav.access")],
    [href("/manager/settings/waiting-list"), t("nav.waiting-list")],
    [href("/manager/settings/roles"), t("nav.roles")],
  ] as const;
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-6">
      <ScreenTitle>{`${t(`nav.${part}`)} · ${t("title")}`}</ScreenTitle>
      <ScreenHeader title={t("title")} />
      <nav aria-label={t("nav.label")} className="-mx-4 overflow-x-auto px-4 md:mx-0 md:px-0">
        <ul className="flex w-max min-w-full gap-1 border-b border-line">
          {parts.map(([path, label]) => (
            <li key={path}>
              <NavLink to={path} className={partClass}>
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </div>
  );
}

function partClass({ isActive }: { isActive: boolean }): string {
  return `-mb-px inline-flex min-h-control items-center border-b-2 px-3 text-sm font-medium whitespace-nowrap ${isActive ? "border-accent text-ink" : "border-transparent text-muted hover:text-ink"}`;
}
