import { href } from "react-router";
import { accountPaths, areaOf } from "../../features/account/areas.ts";
import { CodeStep } from "../../features/account/code-step.tsx";
import { GRACE_DAYS } from "../../features/account/grace.ts";
import { selectAccountCodes } from "../../features/auth/account-codes.server.ts";
import { CODE_TTL_MINUTES } from "../../features/auth/code.ts";
import { CodeEntry } from "../../features/auth/code-entry.tsx";
import { countdownsSince } from "../../features/auth/code-sent.ts";
import { VerifyForm } from "../../features/auth/input.ts";
import { clearSessionCookie } from "../../features/auth/session.server.ts";
import { invalid, parseForm, retryAfterHeaders } from "../../http/forms.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { formatLocaleOf } from "../../i18n/languages.ts";
import { ownRequest, refuseCode } from "../../middleware/account-code.ts";
import { languageContext } from "../../middleware/locale.ts";
import { requireOwner, requirePermission } from "../../middleware/require-user.ts";
import { servicesContext } from "../../services.server.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { ScreenTitle } from "../../ui/document.tsx";
import { isolate } from "../../ui/isolate.ts";
import { messageReference } from "../../ui/message.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import type { Route } from "./+types/delete.ts";

export const handle = { i18n: ["account", "login"] };

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "account", "update");
  const { user, session } = requireOwner(context);
  const { db } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  const codes = await selectAccountCodes(db, { userId: user.id, sessionId: session.id });
  const sent = codes.find(({ purpose, expiresAt }) => purpose === "delete" && expiresAt > now);
  return {
    email: user.email,
    accountPath: accountPaths(areaOf(url)).account,
    countdowns: sent && countdownsSince(sent.sentAt.getTime(), now),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  requirePermission(context, "account", "update");
  const own = ownRequest(request, context);
  const form = await parseForm(request, VerifyForm);
  if (!form.ok) return invalid(form.result);
  const { leaving, config } = context.get(servicesContext);
  switch (form.value.intent) {
    case "resend": {
      const sent = await leaving.request(own);
      if (!sent.ok) return refuseCode(context, form.result, sent, "resend");
      const toast = { kind: "success", message: "login:resent" } as const;
      return redirectWithToast(url.pathname, toast);
    }
    case "verify": {
      const started = await leaving.start(own, form.value.code);
      if (!started.ok) return refuseCode(context, form.result, started, "verify");
      const locale = formatLocaleOf(context.get(languageContext));
      const date = started.dueAt.toLocaleDateString(locale, { dateStyle: "long", timeZone: "UTC" });
      const message = messageReference("account:deletion.started", { date: isolate(date) });
      const headers = new Headers({ "Set-Cookie": clearSessionCookie(config.isSecure) });
      return redirectWithToast(href("/login"), { kind: "info", message }, headers);
    }
  }
}

export const headers = retryAfterHeaders;

export default function DeleteAccountScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("account");
  const { t: login } = useTranslation("login");
  const common = useTranslation().t;
  const { email, accountPath, countdowns } = loaderData;
  return (
    <>
      <ScreenTitle>{t("deletion.title")}</ScreenTitle>
      <CodeStep
        title={t("deletion.title")}
        text={t("deletion.text", { count: GRACE_DAYS })}
        email={email}
        isSent={countdowns !== undefined}
        result={actionData}
        cancelTo={accountPath}
      >
        {countdowns && (
          <CodeEntry
            {...countdowns}
            captchaSiteKey={undefined}
            demoCode={undefined}
            result={actionData}
            hint={login("expires", { count: CODE_TTL_MINUTES, expiration: CODE_TTL_MINUTES })}
            otherWay={
              <ButtonLink variant="quiet" to={accountPath}>
                {common("actions.cancel")}
              </ButtonLink>
            }
          />
        )}
      </CodeStep>
    </>
  );
}
