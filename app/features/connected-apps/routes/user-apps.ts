import { href, redirect } from "react-router";
import { parseForm } from "../../../http/forms.server.ts";
import { notFound } from "../../../http/responses.ts";
import { redirectWithToast } from "../../../http/toast.ts";
import { requireAct, requirePermission } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { USER_APP_ACTS } from "../acts.ts";
import { EndForm } from "../input.ts";
import { endApp } from "../own-apps.server.ts";
import type { Route } from "./+types/user-apps.ts";

export function loader({ context, params }: Route.LoaderArgs) {
  requirePermission(context, "session", "list");
  return redirect(sessionsOf(params));
}

/** Ends what an app may know of a user, and returns to the user's screen. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const actor = requireAct(context, USER_APP_ACTS["end-app"]);
  const form = await parseForm(request, EndForm);
  const { db } = context.get(servicesContext);
  if (!form.ok || !(await endApp(db, actor, params.id, form.value.app))) notFound();
  const toast = { kind: "success", message: "connected-apps:own.ended" } as const;
  return redirectWithToast(sessionsOf(params), toast);
}

function sessionsOf({ id }: { id: string }): string {
  return `${href("/manager/users/:id", { id })}?tab=sessions`;
}
