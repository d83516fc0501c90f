import { Form, href, type RouterContextProvider, redirect, useNavigation } from "react-router";
import { parseForm } from "../../../http/forms.server.ts";
import { requestContext } from "../../../http/request-context.ts";
import { parseSearch } from "../../../http/search-params.ts";
import { redirectWithToast } from "../../../http/toast.ts";
import { gatewayCall } from "../../../middleware/gateway-call.server.ts";
import { findCurrentSession } from "../../../middleware/session.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { Button, ButtonLink, buttonClass } from "../../../ui/forms/button.tsx";
import { ScreenTitle, useDocument } from "../../../ui/layout/document.tsx";
import { EmailSentence } from "../../../ui/text/email-text.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { WithOwnText } from "../../../ui/text/with-own-text.tsx";
import { signOut, toastOf } from "../../auth/gateway/sign-out.server.ts";
import { GatePage } from "../../auth/screens/gate-page.tsx";
import { EntryPage } from "../../preferences/entry-page.tsx";
import { formSourceOf } from "../app-request.ts";
import { SignOutForm } from "../input.ts";
import { readSignOut, SignOutSearch } from "../sign-out.server.ts";
import type { Route } from "./+types/sign-out.ts";

export const handle = { i18n: "connected-apps" };

/** Asks a person, after an app has signed them out, whether to sign out here too. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { app, location } = await readAsked(context, url);
  const current = await findCurrentSession(context);
  if (!current) throw redirect(location ?? href("/login"));
  return { app, location, email: current.user.email };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  await parseForm(request, SignOutForm);
  const { db, keys, config } = context.get(servicesContext);
  const { location } = await readAsked(context, url);
  const { isSecure } = config;
  const ended = await signOut({ db, keys, isSecure }, gatewayCall(request, context));
  if (location && ended.isEnded) throw redirect(location, { headers: ended.headers });
  return redirectWithToast(ended.location, toastOf(ended), ended.headers);
}

export default function SignOutScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("connected-apps");
  const { app, location, email } = loaderData;
  const { brand } = useDocument().settings;
  const isBusy = useNavigation().formMethod === "POST";
  const title = t("signOut.title", { product: brand.name });
  return (
    <GatePage>
      <EntryPage>
        <ScreenTitle>{title}</ScreenTitle>
        <div className="grid gap-2">
          <h1 className="text-xl font-semibold text-balance">{title}</h1>
          {app && (
            <p className="text-muted">
              <WithOwnText text={(name) => t("signOut.by", { app: name })} value={app} />
            </p>
          )}
          <EmailSentence text={(shown) => t("signOut.text", { email: shown })} email={email} />
        </div>
        <Form method="post" className="grid gap-2">
          <Button isBusy={isBusy}>{t("signOut.confirm")}</Button>
          {location ? (
            <a href={location} className={buttonClass("secondary")}>
              {t("signOut.stay")}
            </a>
          ) : (
            <ButtonLink variant="secondary" to={href("/app")}>
              {t("signOut.stay")}
            </ButtonLink>
          )}
        </Form>
      </EntryPage>
    </GatePage>
  );
}

/** Reads what the app asks, and lets the page's form lead there. */
async function readAsked(context: Readonly<RouterContextProvider>, url: URL) {
  const { db, config } = context.get(servicesContext);
  const { now, formOrigins } = context.get(requestContext);
  const asked = await readSignOut(db, config.baseUrl, parseSearch(url, SignOutSearch), now());
  const source = asked.location && formSourceOf(asked.location);
  if (source) formOrigins.push(source);
  return asked;
}
