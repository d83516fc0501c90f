import { href, redirect } from "react-router";
import { isFresh } from "../../features/auth/sessions/sessions.server.ts";
import { PasskeyStep } from "../../features/passkeys/passkey-confirm.tsx";
import { requestContext } from "../../http/request-context.ts";
import { safeRedirect } from "../../http/safe-redirect.ts";
import { getCurrentSession, requirePermission } from "../../middleware/current-user.ts";
import { requireUser } from "../../middleware/guards.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/passkey.ts";

export const handle = { i18n: ["manager", "account"] };

export const middleware: Route.MiddlewareFunction[] = [requireUser];

export function loader({ context, url }: Route.LoaderArgs) {
  const current = getCurrentSession(context);
  const { passkeyDemand, isPasskeyReleased } = current.session;
  const next = safeRedirect(url.searchParams.get("next")) ?? href("/manager/dashboard");
  if (!passkeyDemand) {
    requirePermission(context, "apps", "manager");
    throw redirect(next);
  }
  // After the grace period a mailbox alone is not enough: another admin lets the manager in.
  const mayNotAdd = passkeyDemand === "add" && !isPasskeyReleased;
  const step = mayNotAdd ? ("ask" as const) : passkeyDemand;
  const mayAdd = isFresh(current, context.get(requestContext).now());
  const hasListedAdmins = context.get(servicesContext).config.adminEmails.length > 0;
  return { step, mayAdd, hasListedAdmins, here: url.pathname + url.search, next };
}

/** What a manager must do before the back-office opens: ask an admin, add a passkey, or prove the session by one. */
export default function PasskeyScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("manager");
  const { step, mayAdd, hasListedAdmins, here, next } = loaderData;
  // In the area for users, which is open.
  const confirmPath = `${href("/app/account/confirm")}?next=${encodeURIComponent(here)}`;
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-sm content-center gap-6 px-4 py-8">
      <ScreenTitle>{t("passkey.title")}</ScreenTitle>
      <div className="grid gap-2">
        <h1 className="text-xl font-semibold">{t("passkey.title")}</h1>
        <p className="text-muted">{t(`passkey.${step}Text`)}</p>
      </div>
      {step === "add" && !mayAdd && (
        <ButtonLink to={confirmPath}>{t("passkey.codeFirst")}</ButtonLink>
      )}
      {(step === "confirm" || (step === "add" && mayAdd)) && (
        <PasskeyStep kind={step} onDone={() => location.assign(next)} />
      )}
      <Notice kind="info">{t(hasListedAdmins ? "passkey.recovery" : "passkey.noRecovery")}</Notice>
      <ButtonLink variant="quiet" to={href("/app")}>
        {t("toApp")}
      </ButtonLink>
    </main>
  );
}
