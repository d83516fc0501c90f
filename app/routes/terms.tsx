import { Form, href, type RouterContextProvider, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { CODE_LENGTH } from "../features/auth/codes/code.ts";
import { GatePage } from "../features/auth/screens/gate-page.tsx";
import { SignedInAs } from "../features/auth/screens/signed-in-as.tsx";
import { homeOf } from "../features/auth/sign-in/first-screen.ts";
import { EntryPage } from "../features/preferences/entry-page.tsx";
import { AcceptField } from "../features/site-settings/accept-field.tsx";
import { acceptFields, NOT_ACCEPTED } from "../features/site-settings/accept-input.ts";
import { acceptTerms, hasAcceptedTerms } from "../features/site-settings/terms.server.ts";
import { invalid, parseForm } from "../http/forms.server.ts";
import { sendForm } from "../http/lost-network.ts";
import { requestContext } from "../http/request-context.ts";
import { safeRedirect } from "../http/safe-redirect.ts";
import { findCurrentSession } from "../middleware/session.ts";
import { servicesContext } from "../runtime/services-context.ts";
import { Button } from "../ui/forms/button.tsx";
import { useFirstErrorFocus } from "../ui/forms/use-first-error-focus.ts";
import { ScreenTitle } from "../ui/layout/document.tsx";
import { useTranslation } from "../ui/text/translation.tsx";
import type { Route } from "./+types/terms.ts";

export const handle = { i18n: "onboarding" };

const Acceptance = z.object(acceptFields);

export async function loader({ context, url }: Route.LoaderArgs) {
  const { userId, email, version } = await requireTermsDue(context, url);
  const { db, publicSettings } = context.get(servicesContext);
  const { now } = context.get(requestContext);
  const { termsUrl, privacyUrl } = await publicSettings.current(now());
  const isFirst = !(await hasAcceptedTerms(db, userId));
  return { email, isFirst, terms: { termsVersion: version, termsUrl, privacyUrl } };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { userId, home } = await requireTermsDue(context, url);
  const form = await parseForm(request, Acceptance);
  if (!form.ok) return invalid(form.result);
  const { accept, termsVersion: version } = form.value;
  if (!accept || !version) return invalid(form.result, NOT_ACCEPTED);
  const { db, config } = context.get(servicesContext);
  const source = context.get(requestContext);
  const isAccepted = await acceptTerms(db, config, source, { userId, version });
  // A version that has moved on meanwhile is shown and asked for again.
  throw redirect(isAccepted ? home : url.pathname + url.search);
}

export const clientAction = sendForm;

export default function TermsScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation();
  const isBusy = useNavigation().formMethod === "POST";
  const form = useFirstErrorFocus(actionData);
  return (
    <GatePage risen={CODE_LENGTH}>
      <EntryPage>
        <ScreenTitle>{t("terms.title")}</ScreenTitle>
        <div className="grid gap-2">
          <h1 className="text-xl font-semibold text-balance">{t("terms.title")}</h1>
          <p className="text-muted">{t(loaderData.isFirst ? "terms.new" : "terms.changed")}</p>
        </div>
        <Form ref={form} method="post" noValidate className="grid gap-4">
          <AcceptField {...loaderData.terms} errors={actionData?.errors.accept} />
          <Button isBusy={isBusy}>{t("terms.continue")}</Button>
        </Form>
        <SignedInAs email={loaderData.email} />
      </EntryPage>
    </GatePage>
  );
}

/** Returns who has yet to accept which version, and where they want to go; redirects others there. */
async function requireTermsDue(context: Readonly<RouterContextProvider>, url: URL) {
  const current = await findCurrentSession(context);
  if (!current) throw redirect(href("/login") + url.search);
  const { id, email, role, termsDue } = current.user;
  const home = safeRedirect(url.searchParams.get("redirect")) ?? homeOf({ role });
  if (!termsDue || current.session.impersonatedBy) throw redirect(home);
  return { userId: id, email, version: termsDue, home };
}
