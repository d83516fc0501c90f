import { invalid, parseForm, retryAfterHeaders } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { requestContext } from "../../../http/request-context.ts";
import { parseSearch } from "../../../http/search-params.ts";
import { requireOwner } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { Breadcrumb, BreadcrumbLink, ScreenHeader } from "../../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { StateNotices } from "../../organizations/organization-frame.tsx";
import { AppScreen } from "../app-screen.tsx";
import { AppForm, AppSearch } from "../office-input.ts";
import type { Route } from "./+types/organization-app.ts";
import { changeApp, requireApp } from "./apps.server.ts";
import { loadOwner, ownedChange } from "./organization-apps.server.ts";

export const handle = { i18n: ["organizations", "connected-apps"] };

export async function loader(args: Route.LoaderArgs) {
  const { context, params, url } = args;
  const { frame, mayChange, paths } = await loadOwner(args);
  const app = await requireApp(context, { organizationId: frame.id }, params.app);
  const isEdited = mayChange && parseSearch(url, AppSearch).state === "edit";
  if (isEdited) requireOwner(context);
  return {
    app,
    issuer: context.get(servicesContext).config.baseUrl,
    mayChange,
    mayEnd: mayChange,
    isEdited,
    now: context.get(requestContext).now(),
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
