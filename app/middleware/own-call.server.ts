import type { RouterContextProvider } from "react-router";
import type { Act } from "../features/access/act.ts";
import { takeChange } from "../features/access/change-limit.server.ts";
import type { OwnedCall } from "../features/owned/owned-rows.server.ts";
import type { Problem } from "../http/problem.server.ts";
import { servicesContext } from "../runtime/services-context.ts";
import type { ApiCall } from "./api-call.server.ts";
import { requireAct, requireOwner } from "./current-user.ts";
import { requireTurn } from "./turn.server.ts";

/**
 * Returns the change that the signed-in user makes among what is their own, within the limit of
 * changes. Closed during an impersonation.
 */
export async function ownCallOf(
  context: Readonly<RouterContextProvider>,
  act: Act,
): Promise<OwnedCall> {
  requireOwner(context);
  const actor = requireAct(context, act);
  await requireTurn(context);
  const { db } = context.get(servicesContext);
  return { db, actor };
}

/** The same for a program, in the name of its key's owner. Errors: `TOO_MANY_REQUESTS`. */
export async function ownCallOfKey({
  services: { db },
  actor,
  now,
}: ApiCall): Promise<{ ok: true; call: OwnedCall } | ({ ok: false } & Problem)> {
  const retryAfterSeconds = await takeChange(db, actor.actorId, now);
  return retryAfterSeconds
    ? { ok: false, status: 429, code: "TOO_MANY_REQUESTS", retryAfterSeconds }
    : { ok: true, call: { db, actor } };
}
