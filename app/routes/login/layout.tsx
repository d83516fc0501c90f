import { Outlet } from "react-router";
import { GatePage } from "../../features/auth/screens/gate-page.tsx";
import { SessionEnded } from "../../features/auth/screens/session-watch.tsx";
import { EntryPage } from "../../features/preferences/entry-page.tsx";
import { useDemonstration } from "../../features.login.tsx";
import { requireAnonymous } from "../../middleware/guards.ts";
import type { Route } from "./+types/layout.ts";

export const handle = { i18n: "login" };

export const middleware: Route.MiddlewareFunction[] = [requireAnonymous];

/** Without a loader a client-side navigation would not ask the server, and the guard would not run. */
export function loader() {
  return null;
}

export default function LoginLayout() {
  const demonstration = useDemonstration();
  return (
    <GatePage>
      <SessionEnded />
      <EntryPage>
        {demonstration && <demonstration.Notice />}
        <Outlet />
      </EntryPage>
    </GatePage>
  );
}
