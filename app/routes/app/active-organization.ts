import { href, redirect } from "react-router";
import { z } from "zod";
import { setActiveOrganization } from "../../features/organizations/active/active-organization.server.ts";
import { OWN_ACTS } from "../../features/organizations/acts.ts";
import { parseForm } from "../../http/forms.server.ts";
import { safeRedirect } from "../../http/safe-redirect.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requireAct, requirePermission } from "../../middleware/current-user.ts";
import { requireTurn } from "../../middleware/turn.server.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import type { Route } from "./+types/active-organization.ts";

const MAX_ID_LENGTH = 64;

const back = z.unknown().transform(safeRedirect).optional();
const id = z.string().max(MAX_ID_LENGTH).optional();
/** Without an id none is active. */
const Choice = z.object({ intent: z.literal("organization"), organization: id, back });

export function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, "apps", "app");
  return redirect(href("/app"));
}

/** Makes an organization of the user the active one of this session, and returns to the page of the form. */
export async function action({ request, context }: Route.ActionArgs) {
  const { session } = requirePermission(context, "apps", "app");
  const actor = requireAct(context, OWN_ACTS.activate);
  await requireTurn(context, "ownChanges");
  const { db } = context.get(servicesContext);
  const form = await parseForm(request, Choice);
  if (!form.ok) return redirect(href("/app"));
  const choice = form.value;
  const changed = await setActiveOrganization(db, actor, session.id, keyOf(choice.organization));
  const location = choice.back ?? href("/app");
  if (changed.ok) return redirect(location);
  return redirectWithToast(location, { kind: "warning", message: `codes:${changed.code}` });
}

function keyOf(id: string | undefined) {
  return id ? { id } : null;
}
