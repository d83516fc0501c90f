import { data } from "react-router";
import { invalidChoice, parseForm } from "../../../http/forms.server.ts";
import { attemptBulk } from "../../../lists/bulk/bulk-run.ts";
import { answerList } from "../../../lists/query/list-answer.server.ts";
import { requireActor, requirePermission } from "../../../middleware/current-user.ts";
import { mailServices } from "../../../middleware/mail-services.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { can } from "../../access/permissions.ts";
import { Decision } from "../input.ts";
import { decideRequests, loadWaitingList } from "../waiting-list.server.ts";
import { WaitingList } from "../waiting-list.tsx";
import type { Route } from "./+types/waiting-list.ts";

export const handle = { i18n: "settings" };

export async function loader({ context, url }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "settings", "read");
  const { db } = context.get(servicesContext);
  const { data: list, init } = await answerList(context, url, {
    otherwise: { shown: "waiting" as const, hasAny: true },
    load: () => loadWaitingList(db, url),
  });
  return data({ ...list, canDecide: can(user, "settings", "update") }, init ?? undefined);
}

export async function action({ request, context }: Route.ActionArgs) {
  requirePermission(context, "settings", "read");
  const form = await parseForm(request, Decision);
  if (!form.ok) return invalidChoice(form.result);
  const { intent, id: ids } = form.value;
  const actor = requireActor(context, "settings", "update", {
    act: `waiting-list:${intent}`,
    choice: { ids, asked: intent },
  });
  return { report: await decideRequests(mailServices(context), actor, { intent, ids }) };
}

export const clientAction = attemptBulk;

export default function WaitingListScreen({ loaderData, actionData }: Route.ComponentProps) {
  return <WaitingList {...loaderData} answer={actionData} />;
}
