import "../../ui/sidebar.css";
import { href, NavLink, Outlet } from "react-router";
import { UserMenu } from "../../features/account/user-menu.tsx";
import { SessionWatch } from "../../features/auth/screens/session-watch.tsx";
import { LanguageMenu } from "../../features/preferences/language-menu.tsx";
import { ThemeMenu } from "../../features/preferences/theme-menu.tsx";
import { useHere } from "../../features/preferences/use-here.ts";
import { paletteRightsOf } from "../../features/search/rights.ts";
import { SearchLauncher } from "../../features/search/search-launcher.tsx";
import { isSidebarCollapsed, rememberSidebar } from "../../http/sidebar-cookie.ts";
import { getCurrentSession } from "../../middleware/current-user.ts";
import { requireApp, requireUser } from "../../middleware/guards.ts";
import { buttonClass } from "../../ui/button.tsx";
import { closePopover } from "../../ui/close-popover.ts";
import { Icon } from "../../ui/icon.tsx";
import { Logo, LogoMark } from "../../ui/logo.tsx";
import { SkipLink } from "../../ui/skip-link.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import type { Route } from "./+types/layout.ts";

export const handle = { i18n: "manager" };

export const middleware: Route.MiddlewareFunction[] = [requireUser, requireApp("manager")];

export function loader({ request, context }: Route.LoaderArgs) {
  const { user, session } = getCurrentSession(context);
  return {
    user: { name: user.name, email: user.email, avatar: user.avatar },
    sessionId: session.id,
    isSidebarCollapsed: isSidebarCollapsed(request),
    paletteRights: paletteRightsOf(user),
  };
}

const DRAWER = "manager-drawer";

export default function ManagerLayout({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("manager");
  const { user, sessionId, paletteRights } = loaderData;
  const here = useHere();
  const otherArea = { path: href("/app"), label: t("toApp") };
  const accountPath = href("/manager/account");
  const screens = ENTRIES.map(({ path, icon, label }) => ({ path, icon, label: t(label) }));
  return (
    <div className="flex min-h-dvh">
      <SkipLink />
      <SessionWatch sessionId={sessionId} />
      <aside className="sidebar sticky top-0 hidden h-dvh w-60 shrink-0 flex-col border-e border-line bg-sunken p-3 md:flex">
        <div className="flex min-h-11 items-center px-2">
          <span className="label">
            <Logo />
          </span>
          <span className="mark hidden">
            <LogoMark />
          </span>
        </div>
        <ManagerNavigation />
        {/* A checkbox, so that the sidebar collapses without JavaScript. With JavaScript the next page starts in the
            same state. */}
        <input
          id="sidebar-collapsed"
          type="checkbox"
          aria-label={t("sidebar.collapse")}
          autoComplete="off"
          defaultChecked={loaderData.isSidebarCollapsed}
          onChange={(event) => rememberSidebar(event.currentTarget.checked)}
          className="peer sr-only"
        />
        <label
          htmlFor="sidebar-collapsed"
          title={t("sidebar.collapse")}
          className="mt-auto inline-flex min-h-11 w-11 cursor-pointer items-center justify-center rounded-md text-muted outline-accent-ink hover:bg-fill hover:text-ink peer-focus-visible:outline-2"
        >
          <Icon name="panel-left" className="size-5 rtl:-scale-x-100" />
        </label>
      </aside>
      <div className="flex min-w-0 grow flex-col">
        <header className="flex min-h-16 items-center gap-2 border-b border-line bg-panel px-4">
          <button
            type="button"
            popoverTarget={DRAWER}
            aria-label={t("sidebar.open")}
            className={buttonClass("quiet", "md:hidden")}
          >
            <Icon name="menu" className="size-5" />
          </button>
          <div className="flex grow items-center max-md:justify-end">
            <div className="md:me-auto">
              <SearchLauncher
                area="manager"
                screens={screens}
                otherArea={otherArea}
                rights={paletteRights}
                here={here}
              />
            </div>
            <ThemeMenu />
            <LanguageMenu />
            <UserMenu user={user} accountPath={accountPath} otherArea={otherArea} />
          </div>
        </header>
        <main
          id="main"
          tabIndex={-1}
          className="w-full max-w-6xl grow px-4 py-8 outline-none md:px-8"
        >
          <Outlet />
        </main>
      </div>
      <aside
        id={DRAWER}
        popover="auto"
        className="drawer h-dvh w-72 max-w-[85vw] border-e border-line bg-panel p-3 text-ink shadow-high md:hidden"
      >
        <div className="flex items-center justify-between px-2">
          <Logo />
          <button
            type="button"
            popoverTarget={DRAWER}
            popoverTargetAction="hide"
            aria-label={t("sidebar.close")}
            className={buttonClass("quiet")}
          >
            <Icon name="x" className="size-5" />
          </button>
        </div>
        <ManagerNavigation />
      </aside>
    </div>
  );
}

const ENTRIES = [
  { path: href("/manager/dashboard"), icon: "layout-dashboard", label: "dashboard.title" },
  { path: href("/manager/users"), icon: "users", label: "users" },
  { path: href("/manager/repositories"), icon: "folder-git-2", label: "repositories" },
  { path: href("/manager/audit"), icon: "scroll-text", label: "audit" },
  { path: href("/manager/mail"), icon: "mail", label: "mail" },
  { path: href("/manager/account"), icon: "circle-user", label: "account" },
] as const;

function ManagerNavigation() {
  const { t } = useTranslation("manager");
  return (
    <nav aria-label={t("navigation")} className="mt-4 grid gap-1">
      {ENTRIES.map(({ path, icon, label }) => (
        <NavLink
          key={path}
          to={path}
          className={navItemClass}
          onClick={closePopover}
          title={t(label)}
        >
          <Icon name={icon} className="size-5 shrink-0" />
          <span className="label">{t(label)}</span>
        </NavLink>
      ))}
    </nav>
  );
}

function navItemClass({ isActive }: { isActive: boolean }): string {
  return `flex min-h-11 items-center gap-3 rounded-md px-3 text-sm font-medium transition-colors duration-150 ${isActive ? "bg-accent-fill text-accent-ink" : "text-muted hover:bg-fill hover:text-ink"}`;
}
