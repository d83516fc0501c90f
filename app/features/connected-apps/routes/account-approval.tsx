import { invalid, parseForm } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { requestContext } from "../../../http/request-context.ts";
import { redirectWithToast } from "../../../http/toast.ts";
import { requireAct, requireOwner, requirePermission } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { BreadcrumbTo } from "../../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { areaOf } from "../../account/areas.ts";
import { OWN_APP_ACTS } from "../acts.ts";
import { ApprovalScreen } from "../approval-screen.tsx";
import { answerApproval, selectApprovals } from "../approvals.server.ts";
import { appsPath } from "../apps-path.ts";
import { ApprovalForm } from "../input.ts";
import type { Route } from "./+types/account-approval.ts";

export const handle = { i18n: ["connected-apps", "scopes"] };

/** A call that was answered, or for which nobody answered in time, leads to the user's apps. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  requirePermission(context, "account", "update");
  const { user } = requireOwner(context);
  const { db } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  const [approval] = await selectApprovals(db, user.id, now, params.approval);
  const apps = appsPath(areaOf(url));
  if (!approval) {
    throw redirectWithToast(apps, { kind: "info", message: "connected-apps:approval.over" });
  }
  return { approval, apps, now };
}

const TOLD = {
  approved: "connected-apps:approval.approved",
  refused: "connected-apps:approval.refused",
} as const;

export async function action({ request, context, params, url }: Route.ActionArgs) {
  requireOwner(context);
  const form = await parseForm(request, ApprovalForm);
  if (!form.ok) return invalid(form.result);
  const { intent } = form.value;
  const actor = requireAct(context, OWN_APP_ACTS[intent]);
  const { db } = context.get(servicesContext);
  const answer = intent === "approve-call" ? "approved" : "refused";
  const isAnswered = await answerApproval(db, actor, params.approval, answer);
  const apps = appsPath(areaOf(url));
  return isAnswered
    ? redirectWithToast(apps, { kind: "success", message: TOLD[answer] })
    : redirectWithToast(apps, { kind: "info", message: "connected-apps:approval.over" });
}

export const clientAction = sendForm;

export default function Approval({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("connected-apps");
  const { apps, ...shown } = loaderData;
  return (
    <ApprovalScreen
      {...shown}
      breadcrumb={<BreadcrumbTo to={apps}>{t("own.title")}</BreadcrumbTo>}
      errors={actionData?.errors[""]}
    />
  );
}
