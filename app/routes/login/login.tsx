import { Form, href, Link, useNavigation } from "react-router";
import { CAPTCHA_FIELD } from "../../features/auth/codes/code.ts";
import { LoginForm } from "../../features/auth/gateway/input.ts";
import { asksCaptcha, CaptchaSlot } from "../../features/auth/screens/captcha-slot.tsx";
import { Or, OtherWays } from "../../features/auth/screens/other-ways.tsx";
import { findLastMethod } from "../../features/auth/sign-in/last-method.ts";
import { listProviders } from "../../features/auth/sign-in/providers.ts";
import { DeletionStarted } from "../../features/deletion/deletion-started.tsx";
import { DELETION_PARAM, readDeletionDay } from "../../features/deletion/grace.ts";
import { PasskeySignIn } from "../../features/passkeys/passkey-sign-in.tsx";
import { EntryLinks } from "../../features/site-settings/entry-links.tsx";
import { useDemonstration } from "../../features.login.tsx";
import { invalid, parseForm, retryAfterHeaders } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { requestContext } from "../../http/request-context.ts";
import { safeRedirect } from "../../http/safe-redirect.ts";
import { formatsOf } from "../../i18n/formats.ts";
import { languageContext } from "../../middleware/locale.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { Button } from "../../ui/forms/button.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { FormErrors } from "../../ui/forms/form-errors.tsx";
import { MarkedButton } from "../../ui/forms/marked-button.tsx";
import { useFirstErrorFocus } from "../../ui/forms/use-first-error-focus.ts";
import { ScreenTitle, useDocument } from "../../ui/layout/document.tsx";
import { useArrivalFocus } from "../../ui/layout/use-arrival-focus.ts";
import { aroundValues } from "../../ui/text/around-values.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { Email } from "../../values/email.ts";
import { meantEmail } from "../../values/email-typo.ts";
import { EMAIL_MAX_LENGTH } from "../../values/limits.ts";
import type { Route } from "./+types/login.ts";
import { sendCode, signInWithProvider } from "./login-actions.server.ts";

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { config, publicSettings } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  const deletion = readDeletionDay(url.searchParams.get(DELETION_PARAM), now);
  return {
    deletionDate: deletion && formatsOf(context.get(languageContext)).longDay(deletion),
    settings: await publicSettings.current(now),
    providers: listProviders(config.social),
    lastMethod: findLastMethod(request),
    captchaSiteKey: config.turnstile?.siteKey,
    redirect: safeRedirect(url.searchParams.get("redirect")),
    // An invitation or a demonstration fills in the field. Nothing is sent until the user presses the button.
    email: Email.safeParse(url.searchParams.get("email")).data,
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await parseForm(request, LoginForm, { defaultIntent: "email" });
  if (!form.ok) return invalid(form.result);
  const posted = { request, context, url, result: form.result };
  switch (form.value.intent) {
    case "social":
      return signInWithProvider(posted, form.value.provider);
    case "email": {
      const { email, asTyped } = form.value;
      const meant = email === asTyped ? undefined : meantEmail(email);
      if (meant) {
        const values: Record<string, string> = { ...form.result.values, meant };
        return invalid({ ...form.result, values });
      }
      return sendCode(posted, email, form.value[CAPTCHA_FIELD]);
    }
  }
}

export const clientAction = sendForm;

export const headers = retryAfterHeaders;

export default function LoginScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("login");
  const { deletionDate, settings, providers, lastMethod, captchaSiteKey } = loaderData;
  const { isDemo } = useDocument().settings;
  const demonstration = useDemonstration();
  const navigation = useNavigation();
  const intent = navigation.formData?.get("intent");
  const form = useFirstErrorFocus(actionData);
  // In a demonstration the sample accounts come first, until one of them is in the field.
  const isChoosing = demonstration !== undefined && !loaderData.email;
  useArrivalFocus(demonstration ? undefined : form);
  const title = settings.signUpMode === "open" ? t("titleWithSignUp") : t("title");
  return (
    <>
      <ScreenTitle>{title}</ScreenTitle>
      <div className="grid gap-2">
        <h1 className="text-xl font-semibold">{title}</h1>
        {demonstration ? <demonstration.Intro /> : <p className="text-muted">{t("intro")}</p>}
      </div>
      <DeletionStarted date={deletionDate} />
      {demonstration && (
        <>
          <demonstration.Accounts redirect={loaderData.redirect} isChoosing={isChoosing} />
          <Or />
        </>
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
        {actionData?.values.meant && (
          <MeantEmail {...actionData.values} redirect={loaderData.redirect} />
        )}
        <CaptchaSlot siteKey={asksCaptcha(actionData?.errors[""]) ? captchaSiteKey : undefined} />
        <MarkedButton mark={lastMethod === "email" ? t("usedLast") : undefined}>
          {(describedBy) => (
            <Button
              variant={isChoosing ? "secondary" : "primary"}
              name="intent"
              value="email"
              isBusy={intent === "email"}
              aria-describedby={describedBy}
            >
              {t("withEmail")}
            </Button>
          )}
        </MarkedButton>
      </Form>
      <OtherWays
        providers={providers}
        lastMethod={lastMethod}
        busyProvider={navigation.formData?.get("provider")}
      >
        {!isDemo && (
          <PasskeySignIn
            redirect={loaderData.redirect}
            isUsedLast={lastMethod === "passkey"}
            divider={providers.length === 0 && <Or />}
          />
        )}
      </OtherWays>
      <EntryLinks isSignUpClosed={!isDemo && settings.signUpMode !== "open"} {...settings} />
    </>
  );
}

type MeantProps = { email?: string; meant?: string; redirect: string | undefined };

/** Asks about an e-mail that looks like a typo, before a code goes to a wrong mailbox. */
function MeantEmail({ email, meant = "", redirect }: MeantProps) {
  const { t } = useTranslation("login");
  const [before, after] = aroundValues((value) => t("didYouMean", { email: value }));
  const search = new URLSearchParams({ ...(redirect && { redirect }), email: meant });
  return (
    <p role="alert" className="text-sm">
      <input type="hidden" name="asTyped" value={email} />
      {before}
      <Link
        to={`${href("/login")}?${search}`}
        className="font-medium text-accent-ink underline underline-offset-4"
      >
        <bdi dir="ltr">{meant}</bdi>
      </Link>
      {after}
    </p>
  );
}
