import { data, href, type RouterContextProvider } from "react-router";
import { invalidChoice, parseForm } from "../../../http/forms.server.ts";
import { redirectWithToast } from "../../../http/toast.ts";
import { attemptBulk } from "../../../lists/bulk/bulk-run.ts";
import { answerList } from "../../../lists/query/list-answer.server.ts";
import { requireAct, requireActor, requirePermission } from "../../../middleware/current-user.ts";
import { mailServices } from "../../../middleware/mail-services.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { can } from "../../access/permissions.ts";
import { WAITING_LIST_ACTS } from "../acts.ts";
import { WaitingListForm } from "../input.ts";
import { ListSwitch } from "../list-switch.tsx";
import { switchList } from "../switch.server.ts";
import { decideRequests, loadWaitingList } from "../waiting-list.server.ts";
import { WaitingList } from "../waiting-list.tsx";
import type { Route } from "./+types/waiting-list.ts";

export const handle = { i18n: "waiting-list" };

export async function loader({ context, url }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "settings", "read");
  const { db } = context.get(servicesContext);
  const { data: list, init } = await answerList(context, url, {
    otherwise: { shown: "waiting" as const, hasAny: true, isOn: undefined },
    load: (reader) => loadWaitingList(db, url, reader),
  });
  return data({ ...list, canDecide: can(user, "settings", "update") }, init ?? undefined);
}

export async function action({ request, context }: Route.ActionArgs) {
  requirePermission(context, "settings", "read");
  const form = await parseForm(request, WaitingListForm);
  if (!form.ok) return invalidChoice(form.result);
  switch (form.value.intent) {
    case "switch-on":
    case "switch-off":
      return changeSwitch(context, form.value.intent === "switch-on");
    case "approve":
    case "decline": {
      const { intent, id: ids } = form.value;
      const actor = requireAct(context, WAITING_LIST_ACTS[intent], {
        choice: { ids, asked: intent },
      });
      return { report: await decideRequests(mailServices(context), actor, { intent, ids }) };
    }
  }
}

export const clientAction = attemptBulk;

export default function WaitingListScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { isOn, ...list } = loaderData;
  return (
    <>
      {isOn !== undefined && <ListSwitch isOn={isOn} mayChange={list.canDecide} />}
      <WaitingList {...list} answer={actionData} />
    </>
  );
}

async function changeSwitch(
  context: Readonly<RouterContextProvider>,
  isOn: boolean,
): Promise<never> {
  const actor = requireActor(context, "settings", "update");
  const { db, publicSettings } = context.get(servicesContext);
  const isChanged = await switchList(db, actor, isOn);
  publicSettings.forget();
  const done = isOn ? "waiting-list:switch.on" : "waiting-list:switch.off";
  throw redirectWithToast(href("/manager/settings/waiting-list"), {
    kind: isChanged ? "success" : "warning",
    message: isChanged ? done : "waiting-list:switch.notChanged",
  });
}
