import { href, redirect } from "react-router";
import { accountPaths, areaOf } from "../../features/account/areas.ts";
import { VerifyForm } from "../../features/auth/gateway/input.ts";
import { CodeStep } from "../../features/auth/screens/code-step.tsx";
import { clearSessionCookie } from "../../features/auth/sessions/sessions.server.ts";
import { useDeletionConsequences } from "../../features/deletion/deletion-consequences.ts";
import { DELETION_PARAM } from "../../features/deletion/grace.ts";
import { invalid, parseForm, retryAfterHeaders } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { requirePasskey, requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { BreadcrumbTo } from "../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/delete.ts";
import { findCountdowns, ownRequest } from "./code-actions.server.ts";
import { answerResend, refuseCode } from "./code-answers.server.ts";

export const handle = { i18n: ["account", "login"] };

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "account", "update");
  const { user } = requirePasskey(context, url, { change: "account", next: url.pathname });
  return {
    email: user.email,
    accountPath: accountPaths(areaOf(url)).account,
    countdowns: await findCountdowns(context, "delete"),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  requirePermission(context, "account", "update");
  requirePasskey(context, url, { change: "account", next: url.pathname });
  const own = ownRequest(context);
  const form = await parseForm(request, VerifyForm);
  if (!form.ok) return invalid(form.result);
  const { accountDeletion, config } = context.get(servicesContext);
  switch (form.value.intent) {
    case "resend": {
      const isFirst = (await findCountdowns(context, "delete")) === undefined;
      const sent = await accountDeletion.request(own);
      return answerResend(context, url, form.result, sent, isFirst);
    }
    case "verify": {
      const started = await accountDeletion.start(own, form.value.code);
      if (!started.ok) return refuseCode(context, form.result, started, "verify");
      const day = started.dueAt.toISOString().slice(0, 10);
      const headers = { "Set-Cookie": clearSessionCookie(config.isSecure) };
      return redirect(`${href("/login")}?${DELETION_PARAM}=${day}`, { headers });
    }
  }
}

export const clientAction = sendForm;

export const headers = retryAfterHeaders;

export default function DeleteAccountScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("account");
  const { email, accountPath, countdowns } = loaderData;
  const common = useTranslation().t;
  return (
    <CodeStep
      title={t("deletion.title")}
      breadcrumb={<BreadcrumbTo to={accountPath}>{common("account.title")}</BreadcrumbTo>}
      consequences={useDeletionConsequences()}
      text={t("deletion.confirm")}
      email={email}
      countdowns={countdowns}
      result={actionData}
      cancelTo={accountPath}
      destructiveLabel={t("deletion.title")}
    />
  );
}
