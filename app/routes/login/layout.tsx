import { Outlet } from "react-router";
import { Gate, GateProvider } from "../../features/auth/screens/gate.tsx";
import { SessionEnded } from "../../features/auth/screens/session-watch.tsx";
import { EntryPage } from "../../features/preferences/entry-page.tsx";
import { requireAnonymous } from "../../middleware/guards.ts";
import { useDocument } from "../../ui/document.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import type { Route } from "./+types/layout.ts";

export const handle = { i18n: "login" };

export const middleware: Route.MiddlewareFunction[] = [requireAnonymous];

/** Without a loader a client-side navigation would not ask the server, and the guard would not run. */
export function loader() {
  return null;
}

export default function LoginLayout() {
  const { t } = useTranslation("login");
  const { isDemo } = useDocument().settings;
  return (
    <GateProvider>
      <SessionEnded />
      <div className="grid min-h-dvh grid-rows-[auto_1fr] lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:grid-rows-1">
        <div className="relative h-36 overflow-hidden bg-[#3d1146] sm:h-48 lg:order-last lg:h-auto">
          <Gate className="absolute inset-x-0 -top-24 h-[30rem] w-full sm:-top-20 lg:top-0 lg:h-full" />
        </div>
        <EntryPage className="lg:px-12">
          {isDemo && <Notice kind="info">{t("demo")}</Notice>}
          <Outlet />
        </EntryPage>
      </div>
    </GateProvider>
  );
}
