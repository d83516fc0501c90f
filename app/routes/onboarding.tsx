import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { CODE_LENGTH } from "../features/auth/codes/code.ts";
import { GatePage } from "../features/auth/screens/gate-page.tsx";
import { SignedInAs } from "../features/auth/screens/signed-in-as.tsx";
import { homeOf } from "../features/auth/sign-in/first-screen.ts";
import { findEntryOrganization } from "../features/organizations/invitations/entry-organization.server.ts";
import { EntryPage } from "../features/preferences/entry-page.tsx";
import { AcceptField } from "../features/site-settings/accept-field.tsx";
import { acceptFields, NOT_ACCEPTED } from "../features/site-settings/accept-input.ts";
import { onboardUser } from "../features/users/commands/onboarding.server.ts";
import { invalid, parseForm } from "../http/forms.server.ts";
import { sendForm } from "../http/lost-network.ts";
import { requestContext } from "../http/request-context.ts";
import { safeRedirect } from "../http/safe-redirect.ts";
import { getCurrentSession } from "../middleware/current-user.ts";
import { requireNewcomer } from "../middleware/guards.ts";
import { languageContext } from "../middleware/locale.ts";
import { servicesContext } from "../runtime/services-context.ts";
import { Button } from "../ui/forms/button.tsx";
import { TextField } from "../ui/forms/field.tsx";
import { useFirstErrorFocus } from "../ui/forms/use-first-error-focus.ts";
import { ScreenTitle } from "../ui/layout/document.tsx";
import { useTranslation } from "../ui/text/translation.tsx";
import { NAME_MAX_LENGTH } from "../values/limits.ts";
import { PersonName } from "../values/person-name.ts";
import type { Route } from "./+types/onboarding.ts";

export const handle = { i18n: "onboarding" };

export const middleware: Route.MiddlewareFunction[] = [requireNewcomer];

const Onboarding = z.object({ name: PersonName, ...acceptFields });

export async function loader({ context, url }: Route.LoaderArgs) {
  const { user } = getCurrentSession(context);
  const { db, keys, publicSettings } = context.get(servicesContext);
  const { now } = context.get(requestContext);
  const { termsUrl, privacyUrl, termsVersion } = await publicSettings.current(now());
  const page = safeRedirect(url.searchParams.get("redirect"));
  const joining = await findEntryOrganization({ db, keys }, page);
  return {
    joining,
    email: user.email,
    name: user.name,
    terms: { termsUrl, privacyUrl, termsVersion },
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { user } = getCurrentSession(context);
  const form = await parseForm(request, Onboarding);
  const { db, publicSettings } = context.get(servicesContext);
  const source = context.get(requestContext);
  const { termsVersion } = await publicSettings.current(source.now());
  const isAccepted = !termsVersion || form.result.values.accept === "yes";
  const missing = isAccepted ? {} : NOT_ACCEPTED;
  if (!form.ok) return invalid(form.result, { ...form.result.errors, ...missing });
  if (!isAccepted) return invalid(form.result, missing);
  const { name } = form.value;
  const isOnboarded = await onboardUser(db, source, {
    userId: user.id,
    email: user.email,
    name,
    language: context.get(languageContext),
    // A version that has moved on meanwhile is asked for on the next page.
    termsVersion: form.value.termsVersion === termsVersion ? termsVersion : undefined,
  });
  if (!isOnboarded) return invalid(form.result, { name: ["codes:CONFLICT"] }, { status: 409 });
  return redirect(safeRedirect(url.searchParams.get("redirect")) ?? homeOf(user));
}

export const clientAction = sendForm;

export default function OnboardingScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("onboarding");
  const common = useTranslation().t;
  const isBusy = useNavigation().formMethod === "POST";
  const form = useFirstErrorFocus(actionData);
  return (
    <GatePage risen={CODE_LENGTH}>
      <EntryPage>
        <ScreenTitle>{t("title")}</ScreenTitle>
        {loaderData.joining && <p>{common("joining", { organization: loaderData.joining })}</p>}
        <div className="grid gap-2">
          <h1 className="text-xl font-semibold">{t("title")}</h1>
          <p className="text-muted">{t("intro")}</p>
        </div>
        <Form ref={form} method="post" noValidate className="grid gap-4">
          <TextField
            name="name"
            label={t("question")}
            autoComplete="name"
            dir="auto"
            maxLength={NAME_MAX_LENGTH}
            defaultValue={actionData?.values.name ?? loaderData.name}
            errors={actionData?.errors.name}
            // The screen has only this field, so the user can type at once.
            autoFocus
            required
          />
          <AcceptField {...loaderData.terms} errors={actionData?.errors.accept} />
          <Button isBusy={isBusy}>{t("continue")}</Button>
        </Form>
        <SignedInAs email={loaderData.email} />
      </EntryPage>
    </GatePage>
  );
}
