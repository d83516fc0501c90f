import { FeaturePanels } from "../../../features.ui.tsx";
import { invalid, parseForm } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { requestContext } from "../../../http/request-context.ts";
import { notFound } from "../../../http/responses.ts";
import { redirectWithToast } from "../../../http/toast.ts";
import { requireAct, requireOwner, requirePermission } from "../../../middleware/current-user.ts";
import { openPanels } from "../../../middleware/panels.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { BreadcrumbTo } from "../../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { mayDo } from "../../access/permissions.ts";
import { accountPaths, areaOf } from "../../account/areas.ts";
import { OWN_APP_ACTS } from "../acts.ts";
import { selectApprovals } from "../approvals.server.ts";
import { appsPath } from "../apps-path.ts";
import { OwnEndForm } from "../input.ts";
import { endApp, selectAppsOf, shownApps } from "../own-apps.server.ts";
import { OwnAppsScreen } from "../own-apps-screen.tsx";
import type { Route } from "./+types/account-apps.ts";

export const handle = { i18n: ["connected-apps", "scopes"] };

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "account", "update");
  const { user } = requireOwner(context);
  const { db, config } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  const panels = openPanels(context, "connected-apps:own", user.id);
  const [apps, approvals, ...rows] = await db.batch([
    selectAppsOf(db, user.id, now),
    selectApprovals(db, user.id, now),
    ...panels.statements,
  ]);
  const area = areaOf(url);
  return {
    apps: shownApps(apps),
    approvals,
    panels: panels.results(rows, (needs) => mayDo(user, needs)),
    issuer: config.baseUrl,
    area,
    account: accountPaths(area).account,
    now,
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const actor = requireAct(context, OWN_APP_ACTS["end-app"]);
  requireOwner(context);
  const form = await parseForm(request, OwnEndForm);
  if (!form.ok) return invalid(form.result);
  const { db } = context.get(servicesContext);
  if (!(await endApp(db, actor, actor.actorId, form.value.app))) notFound();
  const path = appsPath(areaOf(url));
  return redirectWithToast(path, { kind: "success", message: "connected-apps:own.ended" });
}

export const clientAction = sendForm;

export default function OwnApps({ loaderData, actionData }: Route.ComponentProps) {
  const common = useTranslation().t;
  const { panels, issuer, ...shown } = loaderData;
  const subject = { issuer, area: shown.area };
  return (
    <OwnAppsScreen
      {...shown}
      breadcrumb={<BreadcrumbTo to={shown.account}>{common("account.title")}</BreadcrumbTo>}
      errors={actionData?.errors[""]}
    >
      <FeaturePanels<"connected-apps:own"> subject={subject} panels={panels} now={shown.now} />
    </OwnAppsScreen>
  );
}
