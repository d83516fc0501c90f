import { invalid, parseForm, retryAfterHeaders } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { requestContext } from "../../../http/request-context.ts";
import { notFound } from "../../../http/responses.ts";
import { parseSearch } from "../../../http/search-params.ts";
import { requireOwner } from "../../../middleware/current-user.ts";
import { visitorOf } from "../../../middleware/organization-call.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { Breadcrumb, BreadcrumbLink, ScreenHeader } from "../../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { StateNotices } from "../../organizations/organization-frame.tsx";
import { loadFrameWith } from "../../organizations/organization-page.server.ts";
import { AppScreen } from "../app-screen.tsx";
import { selectApp, shownApp } from "../apps.server.ts";
import { memberCallScopesOf } from "../call-scopes.server.ts";
import { AppForm, AppSearch } from "../office-input.ts";
import type { Route } from "./+types/organization-app.ts";
import { changeApp } from "./apps.server.ts";
import { ownedChange, ownerPage } from "./organization-apps.server.ts";

export const handle = { i18n: ["organizations", "connected-apps", "scopes"] };

export async function loader(args: Route.LoaderArgs) {
  const { context, params, url } = args;
  const { db, config, avatars, features } = context.get(servicesContext);
  const page = await loadFrameWith(db, visitorOf(args), (organizationId) =>
    selectApp(db, params.app, { organizationId }),
  );
  const { frame, rows, mayChange, paths } = ownerPage(args, page);
  const [row = notFound()] = rows;
  const now = context.get(requestContext).now();
  const app = shownApp(row, now);
  const isEdited = mayChange && parseSearch(url, AppSearch).state === "edit";
  if (isEdited) requireOwner(context);
  return {
    app,
    issuer: config.baseUrl,
    callScopes: memberCallScopesOf(features),
    hasPictures: avatars !== undefined,
    mayChange,
    mayEnd: mayChange,
    isEdited,
    now,
    frame,
    above: paths.settings,
    list: paths.list,
    path: paths.pathOf(app.id),
  };
}

export async function action(args: Route.ActionArgs) {
  requireOwner(args.context);
  const form = await parseForm(args.request, AppForm);
  if (!form.ok) return invalid(form.result);
  const { refused, change } = await ownedChange(args, form.result);
  return refused ?? changeApp(change, args.params.app, form.value);
}

export const headers = retryAfterHeaders;

export const clientAction = sendForm;

export default function OrganizationAppScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("connected-apps");
  const { frame, above, list, ...page } = loaderData;
  const { name } = page.app;
  return (
    <div className="mx-auto grid w-full max-w-3xl grid-cols-1 gap-6">
      <ScreenTitle>{`${name} · ${t("office.title")}`}</ScreenTitle>
      <ScreenHeader
        title={<bdi className="wrap-anywhere">{name}</bdi>}
        breadcrumb={
          <Breadcrumb>
            {[
              <BreadcrumbLink key="settings" to={above}>
                {frame.name}
              </BreadcrumbLink>,
              <BreadcrumbLink key="list" to={list}>
                {t("office.title")}
              </BreadcrumbLink>,
            ]}
          </Breadcrumb>
        }
      />
      <StateNotices frame={frame} />
      <AppScreen {...page} result={actionData} />
    </div>
  );
}
