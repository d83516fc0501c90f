import { Outlet } from "react-router";
import { GatePage } from "../../features/auth/screens/gate-page.tsx";
import { SessionEnded } from "../../features/auth/screens/session-watch.tsx";
import { findEntryOrganization } from "../../features/organizations/invitations/entry-organization.server.ts";
import { EntryPage } from "../../features/preferences/entry-page.tsx";
import { useDemonstration } from "../../features.login.tsx";
import { safeRedirect } from "../../http/safe-redirect.ts";
import { requireAnonymous } from "../../middleware/guards.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/layout.ts";

export const handle = { i18n: "login" };

export const middleware: Route.MiddlewareFunction[] = [requireAnonymous];

/** Names the organization whose invitation waits behind the sign-in. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const page = safeRedirect(url.searchParams.get("redirect"));
  return { joining: await findEntryOrganization(context.get(servicesContext), page) };
}

export default function LoginLayout({ loaderData: { joining } }: Route.ComponentProps) {
  const { t } = useTranslation();
  const demonstration = useDemonstration();
  return (
    <GatePage>
      <SessionEnded />
      <EntryPage>
        {demonstration && <demonstration.Notice />}
        {joining && <p>{t("joining", { organization: joining })}</p>}
        <Outlet />
      </EntryPage>
    </GatePage>
  );
}
