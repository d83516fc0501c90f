import { href } from "react-router";
import { CAPTCHA_FIELD } from "../../features/auth/codes/code.ts";
import { readCodeSent } from "../../features/auth/codes/code-sent.ts";
import { SignInForm, VerifySearch } from "../../features/auth/gateway/input.ts";
import { CodeEntry, spentBy } from "../../features/auth/screens/code-entry.tsx";
import { CodeHelp } from "../../features/auth/screens/code-help.tsx";
import { findPendingLink } from "../../features/auth/sign-in/pending-link.server.ts";
import { listProviders, nameOfProvider } from "../../features/auth/sign-in/providers.ts";
import { invalid, parseForm, retryAfterHeaders } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { requestContext } from "../../http/request-context.ts";
import { parseSearch } from "../../http/search-params.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { EmailSentence } from "../../ui/text/email-text.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/verify.ts";
import { resendCode, signInWithCode } from "./verify-actions.server.ts";

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { config, keys, mailer, publicSettings, features } = context.get(servicesContext);
  const { now } = context.get(requestContext);
  const search = requireEmail(url);
  const { isSecure } = config;
  const open = config.isDemo ? Object.values(features.demonstration?.accounts ?? {}) : [];
  const { state, countdowns } = await readCodeSent(keys, request, search.email, now());
  const pending = await findPendingLink({ keys, isSecure }, request, search.email, now());
  return {
    ...search,
    /** Provider that does not vouch for the e-mail. */
    provider: pending && nameOfProvider(pending.provider, listProviders(config.social)),
    state,
    countdowns,
    isSignUpOpen: (await publicSettings.current(now())).signUpMode === "open",
    captchaSiteKey: config.turnstile?.siteKey,
    /** Code of an account that everybody may use. */
    shownCode: open.some((account) => account.email === search.email)
      ? await mailer.findSignInCode(search.email, now())
      : undefined,
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const signIn = requireEmail(url);
  const form = await parseForm(request, SignInForm);
  if (!form.ok) return invalid(form.result);
  const posted = { request, context, url, result: form.result };
  switch (form.value.intent) {
    case "resend":
      return resendCode(posted, signIn, form.value[CAPTCHA_FIELD]);
    case "verify":
      return signInWithCode(posted, signIn, { otp: form.value.key ?? form.value.code });
    case "link":
      return signInWithCode(posted, signIn, { otp: form.value.mailLink, isLink: true });
  }
}

export const clientAction = sendForm;

export const headers = retryAfterHeaders;

export default function VerifyScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("login");
  const { email, provider, isSignUpOpen, shownCode, state } = loaderData;
  const { redirect: target } = loaderData;
  const isSpent = spentBy(actionData, loaderData) !== undefined;
  // A demonstration shows the code instead of sending it. An e-mail that this browser has not asked for gets the same
  // sentence as any other (spec section 2), so it tells nothing about the mailbox.
  const isSent = !isSpent && (state === "sent" || state === undefined) && shownCode === undefined;
  const hasLink = state === "waiting" && (loaderData.countdowns.linkIn ?? 0) > 0;
  const spentTitle = hasLink ? "linkTitle" : "newCodeTitle";
  const title = t(isSpent ? spentTitle : "verifyTitle");
  const sent = isSignUpOpen ? "sent" : "sentIfAccount";
  const text = (shown: string) =>
    isSent
      ? t(provider ? "proveFor" : sent, { provider, email: shown })
      : t("newCodeFor", { email: shown });
  return (
    <>
      <ScreenTitle>{title}</ScreenTitle>
      <div className="grid gap-2">
        <h1 className="text-xl font-semibold">{title}</h1>
        <EmailSentence text={text} email={email} />
      </div>
      <CodeEntry
        {...loaderData}
        result={actionData}
        isSignIn
        help={isSent && state === "sent" && <CodeHelp email={email} />}
        otherLink={
          <ButtonLink variant="quiet" to={href("/login") + redirectSearch(target)}>
            {t("anotherEmail")}
          </ButtonLink>
        }
      />
    </>
  );
}

/** Returns the e-mail of the search params. An absent or invalid one redirects to the login screen with a message. */
function requireEmail(url: URL) {
  const { email, redirect: target } = parseSearch(url, VerifySearch);
  if (!email) {
    const message = url.searchParams.get("email")
      ? "validation:email.invalid"
      : "validation:email.required";
    throw redirectWithToast(href("/login") + redirectSearch(target), { kind: "error", message });
  }
  return { email, redirect: target };
}

function redirectSearch(target: string | undefined): string {
  return target ? `?redirect=${encodeURIComponent(target)}` : "";
}
