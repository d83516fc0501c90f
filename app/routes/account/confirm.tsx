import { redirect } from "react-router";
import { accountPaths, areaOf } from "../../features/account/areas.ts";
import { CodeStep } from "../../features/account/code-step.tsx";
import { selectAccountCodes } from "../../features/auth/account-codes.server.ts";
import { CODE_TTL_MINUTES } from "../../features/auth/code.ts";
import { CodeEntry } from "../../features/auth/code-entry.tsx";
import { countdownsSince } from "../../features/auth/code-sent.ts";
import { VerifyForm } from "../../features/auth/input.ts";
import { confirmSession } from "../../features/auth/session.server.ts";
import { invalid, parseForm, retryAfterHeaders } from "../../http/forms.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { safeRedirect } from "../../http/safe-redirect.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { refuseCode, sendAccountCode, takeAccountCode } from "../../middleware/account-code.ts";
import { requireActor, requireOwner, requirePermission } from "../../middleware/require-user.ts";
import { servicesContext } from "../../services.server.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { ScreenTitle } from "../../ui/document.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import type { Route } from "./+types/confirm.ts";

export const handle = { i18n: ["account", "login"] };

export async function loader({ context, url }: Route.LoaderArgs) {
  const { user, session } = requirePermission(context, "account", "update");
  const { db } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  const codes = await selectAccountCodes(db, { userId: user.id, sessionId: session.id });
  const sent = codes.find(({ purpose, expiresAt }) => purpose === "confirm" && expiresAt > now);
  return {
    email: user.email,
    next: nextOf(url),
    countdowns: sent && countdownsSince(sent.sentAt.getTime(), now),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const actor = requireActor(context, "account", "update");
  const { user, session } = requireOwner(context);
  const form = await parseForm(request, VerifyForm);
  if (!form.ok) return invalid(form.result);
  switch (form.value.intent) {
    case "resend": {
      const code = { purpose: "confirm", address: user.email } as const;
      const sent = await sendAccountCode(request, context, code);
      if (!sent.ok) return refuseCode(context, form.result, sent, "resend");
      return redirectWithToast(url.pathname + url.search, {
        kind: "success",
        message: "login:resent",
      });
    }
    case "verify": {
      const { code } = form.value;
      const taken = await takeAccountCode(request, context, { purpose: "confirm", code });
      if (!taken.ok) return refuseCode(context, form.result, taken, "verify");
      await confirmSession(context.get(servicesContext).db, actor, session.id);
      return redirect(nextOf(url));
    }
  }
}

export const headers = retryAfterHeaders;

export default function ConfirmScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("account");
  const { t: login } = useTranslation("login");
  const common = useTranslation().t;
  const { email, next, countdowns } = loaderData;
  return (
    <>
      <ScreenTitle>{t("confirm.title")}</ScreenTitle>
      <CodeStep
        title={t("confirm.title")}
        text={t("confirm.text")}
        email={email}
        isSent={countdowns !== undefined}
        result={actionData}
        cancelTo={next}
      >
        {countdowns && (
          <CodeEntry
            {...countdowns}
            captchaSiteKey={undefined}
            demoCode={undefined}
            result={actionData}
            hint={login("expires", { count: CODE_TTL_MINUTES, expiration: CODE_TTL_MINUTES })}
            otherWay={
              <ButtonLink variant="quiet" to={next}>
                {common("actions.cancel")}
              </ButtonLink>
            }
          />
        )}
      </CodeStep>
    </>
  );
}

/** Where the person was going; the account when the address does not say, or names this screen itself. */
function nextOf(url: URL): string {
  const { account, confirm } = accountPaths(areaOf(url));
  const next = safeRedirect(url.searchParams.get("next"));
  return next && !next.startsWith(confirm) ? next : account;
}
