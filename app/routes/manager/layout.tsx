import { href, Outlet } from "react-router";
import { useManagerScreens } from "../../features/access/manager-screens.ts";
import { Rights } from "../../features/access/use-can.tsx";
import { UserMenu } from "../../features/account/user-menu.tsx";
import { ProofGate } from "../../features/auth/screens/proof-gate.tsx";
import { SessionWatch } from "../../features/auth/screens/session-watch.tsx";
import { isProofDue } from "../../features/auth/sessions/sessions.server.ts";
import { PasskeyNotice } from "../../features/passkeys/passkey-notice.tsx";
import { PreferencesMenu } from "../../features/preferences/preferences-menu.tsx";
import { useKnownTroubles } from "../../features/system/use-known-troubles.ts";
import { FeatureHeaders } from "../../features.header.tsx";
import { requestContext } from "../../http/request-context.ts";
import { isSidebarCollapsed, rememberSidebar } from "../../http/sidebar-cookie.ts";
import { getCurrentSession } from "../../middleware/current-user.ts";
import { requireApp, requireUser } from "../../middleware/guards.ts";
import { ProofScope } from "../../ui/forms/proof.tsx";
import { Sidebar, SidebarButton, SidebarDrawer } from "../../ui/layout/sidebar.tsx";
import { SkipLink } from "../../ui/layout/skip-link.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/layout.ts";

export const handle = { i18n: "manager" };

export const middleware: Route.MiddlewareFunction[] = [requireUser, requireApp("manager")];

export async function loader({ request, context }: Route.LoaderArgs) {
  const current = getCurrentSession(context);
  const { user, session } = current;
  return {
    user: { name: user.name, email: user.email, avatar: user.avatar, role: user.role },
    sessionId: session.id,
    isProofDue: isProofDue(current, context.get(requestContext).now()),
    passkeyGraceEndsAt: session.passkeyGraceEndsAt,
    isSidebarCollapsed: isSidebarCollapsed(request),
  };
}

const loadProofDialog = () =>
  Promise.all([
    import("../../features/auth/screens/proof-dialog.tsx"),
    import("../../features/passkeys/passkey-confirm.tsx"),
  ]);
const confirmPath = href("/manager/account/confirm");

export default function ManagerLayout({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("manager");
  const { user, sessionId } = loaderData;
  const otherArea = { path: href("/app"), label: t("toApp") };
  const accountPath = href("/manager/account");
  const common = useTranslation().t;
  const screens = useManagerScreens(user);
  const account = {
    path: accountPath,
    icon: "circle-user" as const,
    label: common("account.title"),
  };
  const allScreens = [...screens, account];
  const hasTroubles = useKnownTroubles();
  const marked = screens.map((screen) => ({
    ...screen,
    mark: hasTroubles && screen.path === href("/manager/settings") && t("troubles"),
  }));
  return (
    <div className="flex min-h-dvh">
      <SkipLink />
      <SessionWatch sessionId={sessionId} />
      <ProofGate path={confirmPath} load={loadProofDialog} />
      <Sidebar
        screens={marked}
        label={t("navigation")}
        collapseLabel={t("sidebar.collapse")}
        isCollapsed={loaderData.isSidebarCollapsed}
        onCollapse={rememberSidebar}
      />
      <div className="flex min-w-0 grow flex-col">
        <header className="flex min-h-14 items-center gap-2 border-b border-line bg-panel px-4 md:px-6">
          <SidebarButton label={t("sidebar.open")} />
          <div className="flex grow items-center max-md:justify-end">
            <div className="md:me-auto">
              <FeatureHeaders
                area="manager"
                user={user}
                screens={allScreens}
                otherArea={otherArea}
              />
            </div>
            {/* The last icon, not its button, ends with the page. */}
            <div className="-me-2 flex items-center">
              <PreferencesMenu />
              <UserMenu user={user} accountPath={accountPath} otherArea={otherArea} />
            </div>
          </div>
        </header>
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto w-full max-w-360 grow px-4 pt-4 pb-8 outline-none md:px-6 md:pt-6"
        >
          <Rights user={user}>
            <ProofScope path={confirmPath} isDue={loaderData.isProofDue}>
              {loaderData.passkeyGraceEndsAt && (
                <PasskeyNotice endsAt={loaderData.passkeyGraceEndsAt} />
              )}
              <Outlet context={allScreens} />
            </ProofScope>
          </Rights>
        </main>
      </div>
      <SidebarDrawer screens={marked} label={t("navigation")} closeLabel={t("sidebar.close")} />
    </div>
  );
}
