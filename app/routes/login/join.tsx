import { Form, href, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { messageForCode } from "../../features/auth/gateway/error-message.ts";
import { joinWaitingList } from "../../features/site-settings/waiting-list.server.ts";
import { invalid, parseForm, retryAfterHeaders } from "../../http/forms.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { languageContext } from "../../middleware/locale.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { ScreenTitle } from "../../ui/document.tsx";
import { TextField } from "../../ui/field.tsx";
import { FormErrors } from "../../ui/form-errors.tsx";
import { StateDisc } from "../../ui/state-disc.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { useArrivalFocus } from "../../ui/use-arrival-focus.ts";
import { useFirstErrorFocus } from "../../ui/use-first-error-focus.ts";
import { Email } from "../../values/email.ts";
import { EMAIL_MAX_LENGTH } from "../../values/limits.ts";
import type { Route } from "./+types/join.ts";

/** Search param after a request was sent. */
const SENT_PARAM = "sent";

const JoinForm = z.object({ email: Email });

export async function loader({ context, url }: Route.LoaderArgs) {
  const { publicSettings } = context.get(servicesContext);
  const { hasWaitingList } = await publicSettings.current(context.get(requestContext).now());
  if (!hasWaitingList) throw redirect(href("/login"));
  return { isSent: url.searchParams.has(SENT_PARAM) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, keys, publicSettings } = context.get(servicesContext);
  const { now, limitedIpAddress: ipAddress } = context.get(requestContext);
  const { hasWaitingList } = await publicSettings.current(now());
  if (!hasWaitingList) throw redirect(href("/login"));
  const form = await parseForm(request, JoinForm);
  if (!form.ok) return invalid(form.result);
  const language = context.get(languageContext);
  const visitor = { ipAddress, language, now: now() };
  const retryAfterSeconds = await joinWaitingList({ db, keys }, form.value.email, visitor);
  if (retryAfterSeconds === undefined) {
    throw redirect(`${href("/login/waiting-list")}?${SENT_PARAM}`);
  }
  const message = messageForCode("TOO_MANY_REQUESTS", { retryAfterSeconds, language });
  return invalid(form.result, { "": [message] }, { status: 429, retryAfterSeconds });
}

export const headers = retryAfterHeaders;

export default function JoinScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("login");
  const isBusy = useNavigation().formMethod === "POST";
  const form = useFirstErrorFocus(actionData);
  useArrivalFocus(form);
  if (loaderData.isSent) return <RequestSent />;
  return (
    <>
      <ScreenTitle>{t("waitingList.title")}</ScreenTitle>
      <div className="grid gap-2">
        <h1 className="text-xl font-semibold">{t("waitingList.title")}</h1>
        <p className="text-muted">{t("waitingList.intro")}</p>
      </div>
      <Form ref={form} method="post" noValidate className="grid gap-4">
        <FormErrors errors={actionData?.errors[""]} />
        <TextField
          name="email"
          label={t("email")}
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
        <Button isBusy={isBusy}>{t("waitingList.join")}</Button>
      </Form>
      <ButtonLink variant="quiet" to={href("/login")}>
        {t("backToLogin")}
      </ButtonLink>
    </>
  );
}

function RequestSent() {
  const { t } = useTranslation("login");
  return (
    <>
      <ScreenTitle>{t("waitingList.title")}</ScreenTitle>
      <div className="grid gap-2">
        <StateDisc name="check" tone="success" />
        <h1 className="mt-2 text-xl font-semibold">{t("waitingList.sentTitle")}</h1>
        <p className="text-muted">{t("waitingList.sent")}</p>
      </div>
      <ButtonLink variant="secondary" to={href("/login")}>
        {t("backToLogin")}
      </ButtonLink>
    </>
  );
}
