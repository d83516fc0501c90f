import { Outlet } from "react-router";
import { GatePage } from "../../features/auth/screens/gate-page.tsx";
import { SessionEnded } from "../../features/auth/screens/session-watch.tsx";
import { findEntryOrganization } from "../../features/organizations/invitations/entry-organization.server.ts";
import { EntryPage } from "../../features/preferences/entry-page.tsx";
import type { SignInPurpose } from "../../features/site-settings/login-offer.ts";
import { useDemonstration } from "../../features.login.tsx";
import { safeRedirect } from "../../http/safe-redirect.ts";
import { requireAnonymous } from "../../middleware/guards.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { useText, useTranslation } from "../../ui/text/translation.tsx";
import { WithOwnText } from "../../ui/text/with-own-text.tsx";
import type { Route } from "./+types/layout.ts";

export const handle = { i18n: "login" };

export const middleware: Route.MiddlewareFunction[] = [requireAnonymous];

/** Names what waits behind the sign-in: the organization of an invitation, or another site. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const page = safeRedirect(url.searchParams.get("redirect"));
  const [joining, ...purposes] = await Promise.all([
    findEntryOrganization(services, page),
    ...services.features.signInPurposes.map((find) => page && find(services.db, page)),
  ]);
  return { joining, purpose: purposes.find((one) => one) || undefined };
}

export default function LoginLayout({ loaderData: { joining, purpose } }: Route.ComponentProps) {
  const { t } = useTranslation();
  const demonstration = useDemonstration();
  return (
    <GatePage>
      <SessionEnded />
      <EntryPage>
        {demonstration && <demonstration.Notice />}
        {joining && <p>{t("joining", { organization: joining })}</p>}
        {purpose && <Purpose {...purpose} />}
        <Outlet />
      </EntryPage>
    </GatePage>
  );
}

/** Says which site the person signs in for, and leads back to it. */
function Purpose({ name, text: sentence, cancel }: SignInPurpose) {
  const text = useText();
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
      <p>
        <WithOwnText text={(shown) => text(sentence, { name: shown })} value={name} />
      </p>
      {/* A page of the provider's answer, which the router does not know. */}
      <a href={cancel.to} className="text-sm underline">
        {text(cancel.label)}
      </a>
    </div>
  );
}
