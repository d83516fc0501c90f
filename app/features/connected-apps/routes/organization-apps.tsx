import { requestContext } from "../../../http/request-context.ts";
import { visitorOf } from "../../../middleware/organization-call.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { BreadcrumbTo, ScreenHeader } from "../../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { StateNotices } from "../../organizations/organization-frame.tsx";
import { frameOf, loadFrame, ownId } from "../../organizations/organization-page.server.ts";
import { AppList } from "../app-list.tsx";
import { loadOwnedApps } from "../apps.server.ts";
import type { Route } from "./+types/organization-apps.ts";
import { ownerPage } from "./organization-apps.server.ts";

export const handle = { i18n: ["organizations", "connected-apps"] };

export async function loader(args: Route.LoaderArgs) {
  const { context, url } = args;
  const { db } = context.get(servicesContext);
  const { timeZone } = context.get(requestContext);
  const visitor = visitorOf(args);
  const { now } = visitor;
  const owner = { id: ownId(visitor), frame: frameOf(visitor) };
  const {
    settings,
    frame: found,
    ...list
  } = await loadOwnedApps(db, url, { now, timeZone }, owner);
  const page = found ? { frame: found } : await loadFrame(db, visitor);
  const { frame, mayChange, paths } = ownerPage(args, page);
  const { settings: above, list: path } = paths;
  const isOff = !settings.organizationApps;
  return { ...list, isOff, frame, mayChange, above, path, now };
}

export default function OrganizationAppsScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("connected-apps");
  const { frame, above, ...list } = loaderData;
  return (
    <div className="grid grid-cols-1 gap-6">
      <ScreenTitle>{`${t("office.title")} · ${frame.name}`}</ScreenTitle>
      <ScreenHeader
        title={t("office.title")}
        breadcrumb={<BreadcrumbTo to={above}>{frame.name}</BreadcrumbTo>}
      />
      <StateNotices frame={frame} />
      <AppList {...list} />
    </div>
  );
}
