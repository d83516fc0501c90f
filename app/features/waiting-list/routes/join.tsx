import { Form, href, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { invalid, parseForm, retryAfterHeaders } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { requestContext } from "../../../http/request-context.ts";
import { parseSearch } from "../../../http/search-params.ts";
import { languageContext } from "../../../middleware/locale.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { Button, ButtonLink } from "../../../ui/forms/button.tsx";
import { TextField } from "../../../ui/forms/field.tsx";
import { FormErrors } from "../../../ui/forms/form-errors.tsx";
import { useFirstErrorFocus } from "../../../ui/forms/use-first-error-focus.ts";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { useArrivalFocus } from "../../../ui/layout/use-arrival-focus.ts";
import { EmailSentence } from "../../../ui/text/email-text.tsx";
import { StateDisc } from "../../../ui/text/state-disc.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { Email } from "../../../values/email.ts";
import { EMAIL_MAX_LENGTH } from "../../../values/limits.ts";
import { CAPTCHA_FIELD } from "../../auth/codes/code.ts";
import { checkCaptcha } from "../../auth/gateway/captcha-check.server.ts";
import { messageForCode } from "../../auth/gateway/error-message.ts";
import { CaptchaSlot } from "../../auth/screens/captcha-slot.tsx";
import type { PublicSettings } from "../../site-settings/public-settings.server.ts";
import { joinWaitingList } from "../waiting-list.server.ts";
import type { Route } from "./+types/join.ts";

const JoinForm = z.object({ email: Email, [CAPTCHA_FIELD]: z.string().max(2_048).optional() });
/** After a request was sent: the e-mail of the request. */
const Search = z.object({ sent: Email.optional().catch(undefined) });

export const handle = { i18n: "waiting-list" };

export async function loader({ context, url }: Route.LoaderArgs) {
  const { config, publicSettings } = context.get(servicesContext);
  requireOffer(await publicSettings.current(context.get(requestContext).now()));
  return { ...parseSearch(url, Search), captchaSiteKey: config.turnstile?.siteKey };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { config, db, keys, publicSettings } = context.get(servicesContext);
  const { now, limitedIpAddress: ipAddress } = context.get(requestContext);
  requireOffer(await publicSettings.current(now()));
  const form = await parseForm(request, JoinForm);
  if (!form.ok) return invalid(form.result);
  const language = context.get(languageContext);
  const { turnstile, baseUrl } = config;
  const refused =
    turnstile && (await checkCaptcha({ turnstile, baseUrl }, form.value[CAPTCHA_FIELD]));
  if (refused) return invalid(form.result, { "": [`codes:${refused}`] });
  const visitor = { ipAddress, language, now: now() };
  const retryAfterSeconds = await joinWaitingList({ db, keys }, form.value.email, visitor);
  if (retryAfterSeconds === undefined) {
    const search = new URLSearchParams({ sent: form.value.email });
    throw redirect(`${href("/login/waiting-list")}?${search}`);
  }
  const message = messageForCode("TOO_MANY_REQUESTS", { retryAfterSeconds, language });
  return invalid(form.result, { "": [message] }, { status: 429, retryAfterSeconds });
}

export const clientAction = sendForm;

export const headers = retryAfterHeaders;

export default function JoinScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("waiting-list");
  const login = useTranslation("login").t;
  const isBusy = useNavigation().formMethod === "POST";
  const form = useFirstErrorFocus(actionData);
  useArrivalFocus(form);
  if (loaderData.sent) return <RequestSent email={loaderData.sent} />;
  return (
    <>
      <ScreenTitle>{t("title")}</ScreenTitle>
      <div className="grid gap-2">
        <h1 className="text-xl font-semibold">{t("title")}</h1>
        <p className="text-muted">{t("join.intro")}</p>
      </div>
      <Form ref={form} method="post" noValidate className="grid gap-4">
        <FormErrors errors={actionData?.errors[""]} />
        <TextField
          name="email"
          label={login("email")}
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="off"
          spellCheck={false}
          dir="ltr"
          maxLength={EMAIL_MAX_LENGTH}
          placeholder="name@example.com"
          defaultValue={actionData?.values.email}
          errors={actionData?.errors.email}
          required
        />
        <CaptchaSlot siteKey={loaderData.captchaSiteKey} />
        <Button isBusy={isBusy}>{login("waitingList.join")}</Button>
      </Form>
      <ButtonLink variant="quiet" to={href("/login")}>
        {login("backToLogin")}
      </ButtonLink>
    </>
  );
}

function RequestSent({ email }: { email: string }) {
  const { t } = useTranslation("waiting-list");
  const login = useTranslation("login").t;
  return (
    <>
      <ScreenTitle>{t("title")}</ScreenTitle>
      <div className="grid gap-2">
        <StateDisc name="check" tone="success" />
        <h1 className="mt-2 text-xl font-semibold">{t("join.sentTitle")}</h1>
        <EmailSentence text={(shown) => t("join.sent", { email: shown })} email={email} />
        <p className="text-muted">{t("join.sentToKnown")}</p>
      </div>
      <ButtonLink variant="secondary" to={href("/login")}>
        {login("backToLogin")}
      </ButtonLink>
    </>
  );
}

/** Leads to the login page while it does not offer the list. */
function requireOffer({ loginLinks }: PublicSettings) {
  const isOffered = loginLinks.some(({ to }) => to === href("/login/waiting-list"));
  if (!isOffered) throw redirect(href("/login"));
}
