import { href } from "react-router";
import { z } from "zod";
import { findBanNotice } from "../../features/auth/sign-in/ban-notice.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { parseSearch } from "../../http/search-params.ts";
import { formatsOf } from "../../i18n/formats.ts";
import { languageContext } from "../../middleware/locale.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { EmailText } from "../../ui/text/email-text.tsx";
import { StateDisc } from "../../ui/text/state-disc.tsx";
import { SupportLink } from "../../ui/text/support-link.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { Email } from "../../values/email.ts";
import type { Route } from "./+types/error.ts";

const Search = z.object({
  error: z
    .enum([
      ...["signup_disabled", "access_denied", "unknown_error", "BANNED_USER", "PASSKEY_REQUIRED"],
      ...["email_not_found", "EMAIL_DOMAIN_NOT_ALLOWED"],
    ] as const)
    .catch("unknown_error"),
  email: Email.optional().catch(undefined),
});

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { error, email } = parseSearch(url, Search);
  if (error !== "BANNED_USER") return { reason: error, email, ban: undefined };
  const { keys, config } = context.get(servicesContext);
  const notice = await findBanNotice(keys, request, config.isSecure);
  const { timeZone } = context.get(requestContext);
  const format = formatsOf(context.get(languageContext), timeZone);
  return {
    reason: "banned" as const,
    email,
    ban: notice && {
      reason: notice.reason,
      until: notice.until && format.longMoment(notice.until),
    },
  };
}

export default function LoginErrorScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("login");
  const { reason, email, ban } = loaderData;
  const title = t(`errors.${reason}.title`);
  const help = <p className="text-muted">{t(`errors.${reason}.help`)}</p>;
  return (
    <>
      <ScreenTitle>{title}</ScreenTitle>
      <div className="grid gap-2">
        <StateDisc name={reason === "banned" ? "ban" : "triangle-alert"} tone="danger" />
        <h1 className="mt-2 text-xl font-semibold">{title}</h1>
        <p className="text-muted">{t(`errors.${reason}.text`)}</p>
        {email && (
          <p>
            <EmailText className="font-medium">{email}</EmailText>
          </p>
        )}
        {!ban && help}
      </div>
      {ban && (
        <dl className="grid gap-4 rounded-md border border-line bg-sunken p-4 text-sm">
          {ban.reason && (
            <div className="grid gap-1">
              <dt className="text-muted">{t("errors.banned.reason")}</dt>
              <dd className="whitespace-pre-line">
                <bdi>{ban.reason}</bdi>
              </dd>
            </div>
          )}
          <div className="grid gap-1">
            <dt className="text-muted">{t("errors.banned.until")}</dt>
            <dd>{ban.until ?? t("errors.banned.forever")}</dd>
          </div>
        </dl>
      )}
      {ban && help}
      {(reason === "banned" || reason === "signup_disabled") && <SupportLink />}
      <ButtonLink to={href("/login")}>{t("backToLogin")}</ButtonLink>
    </>
  );
}
