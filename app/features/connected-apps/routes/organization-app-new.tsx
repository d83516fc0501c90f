import { invalid, parseForm, retryAfterHeaders } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { requireOwner } from "../../../middleware/current-user.ts";
import { visitorOf } from "../../../middleware/organization-call.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { Breadcrumb, BreadcrumbLink, ScreenHeader } from "../../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { StateNotices } from "../../organizations/organization-frame.tsx";
import { loadFrameWith } from "../../organizations/organization-page.server.ts";
import { selectAppSettings, settingsIn } from "../app-settings.server.ts";
import { memberCallScopesOf } from "../call-scopes.server.ts";
import { NewAppScreen } from "../new-app-screen.tsx";
import { NewAppForm } from "../office-input.ts";
import type { Route } from "./+types/organization-app-new.ts";
import { addApp } from "./apps.server.ts";
import { ownedChange, ownerPage } from "./organization-apps.server.ts";

export const handle = { i18n: ["organizations", "connected-apps", "scopes"] };

export async function loader(args: Route.LoaderArgs) {
  const { db, config, features } = args.context.get(servicesContext);
  const page = await loadFrameWith(db, visitorOf(args), () => selectAppSettings(db));
  const { frame, rows, mayChange, paths } = ownerPage(args, page);
  const { settings: above, list } = paths;
  const isOff = !settingsIn(rows).organizationApps;
  return {
    issuer: config.baseUrl,
    callScopes: memberCallScopesOf(features),
    frame,
    above,
    list,
    isOff,
    mayMake: mayChange && !isOff,
  };
}

/** Makes an app of the organization. Returns its secret, which is shown once, or the form with its errors. */
export async function action(args: Route.ActionArgs) {
  requireOwner(args.context);
  const form = await parseForm(args.request, NewAppForm);
  if (!form.ok) return invalid(form.result);
  const { refused, change } = await ownedChange(args, form.result);
  return refused ?? addApp(change, form.value);
}

export const headers = retryAfterHeaders;

export const clientAction = sendForm;

export default function OrganizationAppNewScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("connected-apps");
  const { frame, above, isOff, mayMake, ...form } = loaderData;
  return (
    <div className="mx-auto grid w-full max-w-3xl grid-cols-1 gap-6">
      <ScreenTitle>{`${t("office.add")} · ${frame.name}`}</ScreenTitle>
      <ScreenHeader
        title={t("office.add")}
        breadcrumb={
          <Breadcrumb>
            {[
              <BreadcrumbLink key="settings" to={above}>
                {frame.name}
              </BreadcrumbLink>,
              <BreadcrumbLink key="list" to={form.list}>
                {t("office.title")}
              </BreadcrumbLink>,
            ]}
          </Breadcrumb>
        }
      />
      <StateNotices frame={frame} />
      {isOff && <p className="text-sm text-muted">{t("owned.off")}</p>}
      {(mayMake || actionData) && <NewAppScreen {...form} result={actionData} />}
    </div>
  );
}
