import { Form, href, redirect, useNavigation } from "react-router";
import { CAPTCHA_FIELD } from "../../features/auth/codes/code.ts";
import { codeSentCookie } from "../../features/auth/codes/code-sent.ts";
import { messageForCode } from "../../features/auth/gateway/error-message.ts";
import { LoginForm } from "../../features/auth/gateway/input.ts";
import { CaptchaSlot } from "../../features/auth/screens/captcha-slot.tsx";
import { SocialButtons } from "../../features/auth/screens/social-buttons.tsx";
import { dropPendingLink } from "../../features/auth/sign-in/pending-link.server.ts";
import { listProviders } from "../../features/auth/sign-in/providers.ts";
import { DELETION_PARAM, readDeletionDay } from "../../features/deletion/grace.ts";
import { DemoButtons } from "../../features/demo/demo-buttons.tsx";
import { PasskeySignIn } from "../../features/passkeys/passkey-sign-in.tsx";
import { invalid, parseForm, retryAfterHeaders } from "../../http/forms.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { safeRedirect } from "../../http/safe-redirect.ts";
import { formatsOf } from "../../i18n/formats.ts";
import { languageContext } from "../../middleware/locale.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { Button } from "../../ui/button.tsx";
import { ScreenTitle, useDocument } from "../../ui/document.tsx";
import { TextField } from "../../ui/field.tsx";
import { FormErrors } from "../../ui/form-errors.tsx";
import { isolate } from "../../ui/isolate.ts";
import { Message, messageReference } from "../../ui/message.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { useArrivalFocus } from "../../ui/use-arrival-focus.ts";
import { useFirstErrorFocus } from "../../ui/use-first-error-focus.ts";
import { Email } from "../../values/email.ts";
import { EMAIL_MAX_LENGTH } from "../../values/limits.ts";
import { gatewayCall } from "../gateway-call.server.ts";
import type { Route } from "./+types/login.ts";

export function loader({ context, url }: Route.LoaderArgs) {
  const { config } = context.get(servicesContext);
  const deletion = readDeletionDay(
    url.searchParams.get(DELETION_PARAM),
    context.get(requestContext).now(),
  );
  return {
    deletionDate: deletion && formatsOf(context.get(languageContext)).longDay(deletion),
    isSignUpEnabled: config.isSignUpEnabled,
    providers: listProviders(config.social),
    captchaSiteKey: config.turnstile?.siteKey,
    redirect: safeRedirect(url.searchParams.get("redirect")),
    // An invitation or a demonstration fills in the field. Nothing is sent until the user presses the button.
    email: Email.safeParse(url.searchParams.get("email")).data,
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await parseForm(request, LoginForm, { defaultIntent: "email" });
  if (!form.ok) return invalid(form.result);
  const { gateway, config } = context.get(servicesContext);
  const call = gatewayCall(request, context);
  const target = safeRedirect(url.searchParams.get("redirect"));

  if (form.value.intent === "social") {
    const { provider } = form.value;
    const result = await gateway.pass(call, "/sign-in/social", { provider, callbackURL: target });
    if (result.ok && typeof result.body.url === "string") {
      return redirect(result.body.url, { headers: result.headers });
    }
    return redirect(`${href("/login/error")}?error=unknown_error`);
  }

  const { email, [CAPTCHA_FIELD]: captchaToken } = form.value;
  const result = await gateway.pass({ ...call, captchaToken }, "/email-otp/send-verification-otp", {
    email,
    redirect: target,
  });
  if (!result.ok) {
    const { code, retryAfterSeconds, status } = result;
    const language = context.get(languageContext);
    const message = messageForCode(code, { retryAfterSeconds, language });
    return invalid(
      form.result,
      { [code === "INVALID_EMAIL" ? "email" : ""]: [message] },
      { status, retryAfterSeconds },
    );
  }
  const search = new URLSearchParams({ ...(target && { redirect: target }), email });
  const { now } = context.get(requestContext);
  const headers = new Headers({ "Set-Cookie": codeSentCookie(now()) });
  // A sign-in that starts here drops the pending link of an earlier sign-in at a provider.
  const dropped = dropPendingLink(request, config.isSecure);
  if (dropped) headers.append("Set-Cookie", dropped);
  return redirect(`${href("/login/verify")}?${search}`, { headers });
}

export const headers = retryAfterHeaders;

export default function LoginScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("login");
  const { deletionDate, isSignUpEnabled, providers, captchaSiteKey } = loaderData;
  const { isDemo } = useDocument().settings;
  const navigation = useNavigation();
  const intent = navigation.formData?.get("intent");
  const form = useFirstErrorFocus(actionData);
  useArrivalFocus(form);
  const title = isSignUpEnabled ? t("titleWithSignUp") : t("title");
  return (
    <>
      <ScreenTitle>{title}</ScreenTitle>
      <div className="grid gap-2">
        <h1 className="text-xl font-semibold">{title}</h1>
        <p className="text-muted">{t("intro")}</p>
      </div>
      {deletionDate && (
        <Notice kind="info">
          <Message
            value={messageReference("account:deletion.started", { date: isolate(deletionDate) })}
          />
        </Notice>
      )}
      <Form ref={form} method="post" noValidate className="grid gap-4" replace>
        <FormErrors errors={actionData?.errors[""]} />
        <TextField
          // Another e-mail in the URL resets the field.
          key={loaderData.email}
          name="email"
          label={t("email")}
          type="email"
          inputMode="email"
          autoComplete="username webauthn"
          autoCapitalize="off"
          spellCheck={false}
          dir="ltr"
          maxLength={EMAIL_MAX_LENGTH}
          placeholder="name@example.com"
          defaultValue={actionData?.values.email ?? loaderData.email}
          errors={actionData?.errors.email}
          required
        />
        <CaptchaSlot siteKey={captchaSiteKey} />
        <Button name="intent" value="email" isBusy={intent === "email"}>
          {t("withEmail")}
        </Button>
      </Form>
      {isDemo ? (
        <DemoButtons redirect={loaderData.redirect} />
      ) : (
        <PasskeySignIn redirect={loaderData.redirect} />
      )}
      <SocialButtons providers={providers} busyProvider={navigation.formData?.get("provider")} />
    </>
  );
}
