import { useEffect } from "react";
import { Form, href, redirect, useNavigation } from "react-router";
import { invalid, parseForm } from "../../../http/forms.server.ts";
import { requestContext } from "../../../http/request-context.ts";
import { notFound } from "../../../http/responses.ts";
import { requireAct, userContext } from "../../../middleware/current-user.ts";
import { requireUser } from "../../../middleware/guards.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { Button, buttonClass } from "../../../ui/forms/button.tsx";
import { FormErrors } from "../../../ui/forms/form-errors.tsx";
import { useFirstErrorFocus } from "../../../ui/forms/use-first-error-focus.ts";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { StateDisc } from "../../../ui/text/state-disc.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { WithOwnText } from "../../../ui/text/with-own-text.tsx";
import { accountPaths } from "../../account/areas.ts";
import { CODE_LENGTH } from "../../auth/codes/code.ts";
import { GatePage } from "../../auth/screens/gate-page.tsx";
import { SignedInAs } from "../../auth/screens/signed-in-as.tsx";
import { EntryPage } from "../../preferences/entry-page.tsx";
import { OWN_APP_ACTS } from "../acts.ts";
import { appErrorPath } from "../app-error-path.ts";
import { AppLogo } from "../app-logo.tsx";
import { AppOwner } from "../app-owner.tsx";
import { formSourceOf, metBy, searchAskedAt, withConsent, withPrompt } from "../app-request.ts";
import { AskedOf } from "../asked-of.tsx";
import { findAsked, saveConsent, toldOrganization } from "../consents.server.ts";
import { ConnectForm } from "../input.ts";
import { inOrder, isAppScope } from "../scopes.ts";
import { Unchecked } from "../unchecked.tsx";
import type { Route } from "./+types/connect.ts";
import {
  authorize,
  NOT_SIGNED_IN,
  provedAtOf,
  readAsked,
  refusalTo,
  requireCallProof,
  requireOwnSession,
} from "./authorization.server.ts";

export const handle = { i18n: ["connected-apps", "scopes"] };

export const middleware: Route.MiddlewareFunction[] = [requireUser];

/**
 * Goes on with the sign-in to an app: asks for a new proof of the person where the app wants one,
 * then for a consent, and otherwise leads to the app.
 */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const current = requireOwnSession(context.get(userContext));
  const { now, formOrigins } = context.get(requestContext);
  const { db } = context.get(servicesContext);
  const asked = metBy(readAsked(context, url), provedAtOf(current));
  const step = await authorize({ request, context }, asked, current);
  switch (step.type) {
    case "app":
      return {
        type: "leave" as const,
        location: step.location,
        isUntrusted: step.isUntrusted,
      };
    case "error":
      throw redirect(appErrorPath(step.code));
    case "sign-in": {
      const next = href("/app/connect") + searchAskedAt(asked, asked.askedAt ?? now());
      throw redirect(`${accountPaths("app").confirm}?${new URLSearchParams({ next })}`);
    }
    case "outsider": {
      const found = await findAsked(db, current.user.id, asked.clientId);
      return {
        type: "outsider" as const,
        app: found?.client.name ?? "",
        organization: found?.owner?.name ?? "",
        location: step.location,
        email: current.user.email,
        next: url.pathname + url.search,
      };
    }
    case "consent": {
      const found = await findAsked(db, current.user.id, asked.clientId);
      if (!found) notFound();
      const { scopes } = step.asked;
      requireCallProof(context, url, scopes);
      const source = formSourceOf(asked.redirectUri);
      if (source) formOrigins.push(source);
      return {
        type: "ask" as const,
        ...found,
        email: current.user.email,
        scopes: inOrder(scopes),
        apis: [...new Set(asked.search.getAll("resource"))],
        leadsTo: source ?? "",
        activeOrganizationId: current.session.activeOrganizationId,
        next: url.pathname + url.search,
      };
    }
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const current = requireOwnSession(context.get(userContext));
  const actor = requireAct(context, OWN_APP_ACTS["connect-app"]);
  const { db } = context.get(servicesContext);
  const asked = metBy(readAsked(context, url), provedAtOf(current));
  const form = await parseForm(request, ConnectForm);
  if (!form.ok) return invalid(form.result);
  const asker = { request, context };
  // The provider checks app, address and scopes again before anything is written. What else there is
  // to do, the page itself finds.
  const here = url.pathname + url.search;
  const step = await authorize(asker, withPrompt(asked, "consent"), current);
  if (step.type !== "consent") throw redirect(here);
  if (form.value.intent === "refuse") {
    const refusal = { ...NOT_SIGNED_IN, isRead: true };
    throw redirect((await refusalTo(asker, asked, refusal)) ?? href("/"));
  }
  requireCallProof(context, url, step.asked.scopes);
  const found = await findAsked(db, current.user.id, asked.clientId);
  if (!found) notFound();
  await saveConsent(db, actor, {
    request: step.asked,
    app: found.client.name,
    organizationId: toldOrganization(found, asked.scopes, form.value.organization),
  });
  const next = await authorize(asker, withConsent(asked), current);
  throw redirect(next.type === "app" ? next.location : here);
}

export default function ConnectScreen({ loaderData, actionData }: Route.ComponentProps) {
  switch (loaderData.type) {
    case "leave":
      return <Leaving {...loaderData} />;
    case "outsider":
      return <Outsider {...loaderData} />;
    case "ask":
      return <Consent asked={loaderData} result={actionData} />;
  }
}

type OutsiderProps = Extract<Route.ComponentProps["loaderData"], { type: "outsider" }>;

/** Says that an app is for the members of its organization. The way back tells the app so too. */
function Outsider({ app, organization, location: to, email, next }: OutsiderProps) {
  const { t } = useTranslation("connected-apps");
  const title = t("outsider.title");
  return (
    <GatePage>
      <EntryPage>
        <ScreenTitle>{title}</ScreenTitle>
        <div className="grid gap-2">
          <StateDisc name="users" tone="quiet" />
          <h1 className="mt-2 text-xl font-semibold">{title}</h1>
          <p className="text-muted">
            <WithOwnText
              text={(name) => t("outsider.text", { organization: name })}
              value={organization}
            />
          </p>
          <p className="text-muted">{t("outsider.help")}</p>
          <p className="text-sm text-muted">
            <WithOwnText
              text={(place) => t("connect.leadsTo", { place })}
              value={formSourceOf(to) ?? ""}
            />
          </p>
        </div>
        <a href={to} className={buttonClass("primary")}>
          <span>
            <WithOwnText text={(name) => t("outsider.back", { app: name })} value={app} />
          </span>
        </a>
        <SignedInAs email={email} next={next} />
      </EntryPage>
    </GatePage>
  );
}

type ConsentProps = {
  asked: Extract<Route.ComponentProps["loaderData"], { type: "ask" }>;
  result: Route.ComponentProps["actionData"];
};

function Consent({ asked, result }: ConsentProps) {
  const { t } = useTranslation("connected-apps");
  const { client, owner, scopes, apis, organizations, activeOrganizationId, leadsTo } = asked;
  const isBusy = useNavigation().formMethod === "POST";
  const form = useFirstErrorFocus(result);
  const title = t("connect.title", { app: client.name });
  return (
    <GatePage risen={CODE_LENGTH}>
      <EntryPage>
        <ScreenTitle>{title}</ScreenTitle>
        <div className="grid gap-2">
          <AppLogo {...client} size="lg" />
          <h1 className="mt-2 text-xl font-semibold text-balance">
            <WithOwnText text={(app) => t("connect.title", { app })} value={client.name} />
          </h1>
          {owner && <AppOwner name={owner.name} />}
          {scopes.some(isAppScope) && <p className="text-muted">{t("connect.intro")}</p>}
        </div>
        <Form ref={form} method="post" noValidate className="grid gap-5">
          <FormErrors errors={result?.errors[""]} />
          <AskedOf
            scopes={scopes}
            organizations={organizations}
            owner={owner}
            activeOrganizationId={activeOrganizationId}
            apis={apis}
          />
          {client.unchecked && <Unchecked {...client.unchecked} />}
          <p className="text-sm text-muted">
            <WithOwnText text={(place) => t("connect.leadsTo", { place })} value={leadsTo} />
          </p>
          <div className="grid gap-2">
            <Button name="intent" value="allow" isBusy={isBusy}>
              {t("connect.allow")}
            </Button>
            <Button name="intent" value="refuse" variant="secondary">
              {t("connect.cancel")}
            </Button>
          </div>
        </Form>
        <SignedInAs email={asked.email} next={asked.next} />
      </EntryPage>
    </GatePage>
  );
}

type LeavingProps = { location: string; isUntrusted: boolean };

/**
 * Leads to the app. Not a redirect: the browser may come from a form of the sign-in, and Chromium
 * applies that page's `form-action` to all redirects that follow. To an app that is not trusted the
 * person goes themselves.
 */
function Leaving({ location: to, isUntrusted }: LeavingProps) {
  const { t } = useTranslation("connected-apps");
  // Outside React: the browser leaves the product.
  useEffect(() => {
    if (!isUntrusted) location.replace(to);
  }, [to, isUntrusted]);
  const place = formSourceOf(to) ?? "";
  return (
    <GatePage risen={CODE_LENGTH}>
      <EntryPage>
        <ScreenTitle>{t("connect.leadsTo", { place })}</ScreenTitle>
        {!isUntrusted && (
          <noscript>
            <meta httpEquiv="refresh" content={`0;url=${to}`} />
          </noscript>
        )}
        <h1 className="text-xl font-semibold">
          <WithOwnText text={(shown) => t("connect.leadsTo", { place: shown })} value={place} />
        </h1>
        {isUntrusted && <Unchecked host={undefined} />}
        <a href={to} className={buttonClass("primary")}>
          {t("connect.goOn")}
        </a>
      </EntryPage>
    </GatePage>
  );
}
