import { data } from "react-router";
import { answerList } from "../../../lists/query/list-answer.server.ts";
import { visitorOf } from "../../../middleware/organization-call.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { BreadcrumbTo, ScreenHeader } from "../../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { StateNotices } from "../../organizations/organization-frame.tsx";
import { ownId } from "../../organizations/organization-page.server.ts";
import { AppList } from "../app-list.tsx";
import { loadApps } from "../apps.server.ts";
import type { Route } from "./+types/organization-apps.ts";
import { loadOwner } from "./organization-apps.server.ts";

export const handle = { i18n: ["organizations", "connected-apps"] };

export async function loader(args: Route.LoaderArgs) {
  const { context, url } = args;
  const { db } = context.get(servicesContext);
  const organizationId = ownId(visitorOf(args));
  const [{ frame, mayChange, paths }, { data: list, init }] = await Promise.all([
    loadOwner(args),
    answerList(context, url, {
      otherwise: { isFull: false, settings: undefined },
      load: (reader) => loadApps(db, url, reader, { organizationId }),
    }),
  ]);
  const { settings, ...shown } = list;
  const isOff = settings ? !settings.organizationApps : false;
  const { settings: above, list: path } = paths;
  return data({ ...shown, isOff, frame, mayChange, above, path }, init ?? undefined);
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
