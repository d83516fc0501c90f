import { href, redirect } from "react-router";
import { parseForm } from "../../../http/forms.server.ts";
import { notFound } from "../../../http/responses.ts";
import { redirectWithToast } from "../../../http/toast.ts";
import { requireAct, requirePermission } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { KEY_ACTS } from "../acts.ts";
import { revokeApiKeyBy } from "../api-keys.server.ts";
import { RevokeForm } from "../input.ts";
import type { Route } from "./+types/user-keys.ts";

export function loader({ context, params }: Route.LoaderArgs) {
  requirePermission(context, "session", "list");
  return redirect(sessionsOf(params));
}

/** Ends a key that a user has made, and returns to the user's screen. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const actor = requireAct(context, KEY_ACTS["revoke-key"]);
  const form = await parseForm(request, RevokeForm);
  const { db } = context.get(servicesContext);
  if (!form.ok || !(await revokeApiKeyBy(db, actor, params.id, form.value.key))) notFound();
  return redirectWithToast(sessionsOf(params), { kind: "success", message: "api-keys:revoked" });
}

function sessionsOf({ id }: { id: string }): string {
  return `${href("/manager/users/:id", { id })}?tab=sessions`;
}
