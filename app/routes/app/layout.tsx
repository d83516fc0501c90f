import { href, Outlet, useMatches } from "react-router";
import { screensFor } from "../../features/access/navigation.ts";
import { can } from "../../features/access/permissions.ts";
import { UserMenu } from "../../features/account/user-menu.tsx";
import { ProofGate } from "../../features/auth/screens/proof-gate.tsx";
import { SessionWatch } from "../../features/auth/screens/session-watch.tsx";
import { isProofDue } from "../../features/auth/sessions/sessions.server.ts";
import { OrganizationSwitcher } from "../../features/organizations/active/organization-switcher.tsx";
import { PreferencesMenu } from "../../features/preferences/preferences-menu.tsx";
import { useHere } from "../../features/preferences/use-here.ts";
import { FeatureHeaders } from "../../features.header.tsx";
import { requestContext } from "../../http/request-context.ts";
import { getCurrentSession } from "../../middleware/current-user.ts";
import { requireApp, requireUser } from "../../middleware/guards.ts";
import { getShell, shell } from "../../middleware/shell.ts";
import { ProofScope } from "../../ui/forms/proof.tsx";
import { SkipLink } from "../../ui/layout/skip-link.tsx";
import { TopNavigation } from "../../ui/layout/top-navigation.tsx";
import { BrandMark } from "../../ui/text/logo.tsx";
import { useText, useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/layout.ts";

export const handle = { i18n: "app" };

export const middleware: Route.MiddlewareFunction[] = [requireUser, requireApp("app"), shell];

export async function loader({ context }: Route.LoaderArgs) {
  const current = getCurrentSession(context);
  const { user, session } = current;
  return {
    isProofDue: isProofDue(current, context.get(requestContext).now()),
    own: await getShell(context),
    user: { name: user.name, email: user.email, avatar: user.avatar, role: user.role },
    sessionId: session.id,
    canManage: can(user, "apps", "manager") || session.passkeyDemand !== null,
    featureScreens: screensFor(user, "app"),
  };
}

const loadProofDialog = () =>
  Promise.all([
    import("../../features/auth/screens/proof-dialog.tsx"),
    import("../../features/passkeys/passkey-confirm.tsx"),
  ]);
const confirmPath = href("/app/account/confirm");

export default function AppLayout({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("app");
  const { user, own, sessionId, canManage } = loaderData;
  const here = useHere();
  const screens = useScreens(loaderData.featureScreens);
  const hasNews =
    own.invitations.length > 0 || own.organizations.some(({ deletionDueAt }) => deletionDueAt);
  const marked = screens.map((screen) => ({
    ...screen,
    mark: hasNews && screen.path === href("/app/organizations") && t("organizations.attention"),
  }));
  const otherArea = canManage ? { path: href("/manager"), label: t("toManager") } : undefined;
  const isFullScreen = useMatches().some(({ handle }) => isFullScreenOnPhone(handle));
  return (
    <div className={`flex min-h-dvh flex-col md:pb-0 ${isFullScreen ? "" : "pb-16"}`}>
      <SkipLink />
      <SessionWatch sessionId={sessionId} />
      <ProofGate path={confirmPath} load={loadProofDialog} />
      <header className={`border-b border-line bg-panel ${isFullScreen ? "max-md:hidden" : ""}`}>
        <div className="mx-auto flex min-h-14 max-w-6xl items-center gap-1 ps-3 pe-4 sm:ps-4 lg:gap-4">
          <div className="flex min-w-0 items-center gap-2">
            <BrandMark className="h-7 w-auto max-w-40 shrink-0 max-lg:hidden" />
            <OrganizationSwitcher {...own} here={here} />
          </div>
          <TopNavigation
            screens={marked}
            label={t("navigation")}
            className="hidden shrink-0 grow gap-1 md:flex"
          />
          <div className="ms-auto flex shrink-0 items-center">
            <FeatureHeaders area="app" user={user} screens={screens} otherArea={otherArea} />
            {/* The last icon, not its button, ends with the page. */}
            <div className="-me-2 flex items-center">
              <PreferencesMenu />
              <UserMenu user={user} accountPath={href("/app/account")} otherArea={otherArea} />
            </div>
          </div>
        </div>
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto w-full max-w-6xl grow px-4 pt-4 pb-8 outline-none md:pt-6"
      >
        <ProofScope path={confirmPath} isDue={loaderData.isProofDue}>
          <Outlet context={screens} />
        </ProofScope>
      </main>
      {!isFullScreen && (
        <TopNavigation
          screens={marked}
          label={t("navigation")}
          className="foot-navigation fixed inset-x-0 bottom-0 z-40 flex justify-around border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] md:hidden"
        />
      )}
    </div>
  );
}

/** True for a screen that fills a phone, which its handle says; it has its own back link. */
function isFullScreenOnPhone(handle: unknown): boolean {
  return typeof handle === "object" && handle !== null && "isFullScreenOnPhone" in handle;
}

/** Returns the screens of the area, for its navigation and the command palette. */
function useScreens(ofFeatures: ReturnType<typeof screensFor>) {
  const { t } = useTranslation("app");
  const common = useTranslation().t;
  const text = useText();
  return [
    { path: href("/app"), icon: "house" as const, label: t("home.title") },
    ...ofFeatures.map(({ path, icon, label }) => ({ path, icon, label: text(label) })),
    {
      path: href("/app/organizations"),
      icon: "building-2" as const,
      label: t("organizations.title"),
    },
    { path: href("/app/account"), icon: "circle-user" as const, label: common("account.title") },
  ];
}
