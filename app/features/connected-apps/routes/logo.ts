import { findCurrentSession } from "../../../middleware/session.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { can } from "../../access/permissions.ts";
import { checkEntry } from "../../auth/sessions/sessions.server.ts";
import { answerPicture } from "../../avatars/picture-store.server.ts";
import { hasAppLogo } from "../apps.server.ts";
import type { Route } from "./+types/logo.ts";

/**
 * Serves the logo of an app to the people who may sign in to it, and to managers. Others get the
 * answer for an unknown file, also when they know its name.
 */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { db, avatars } = context.get(servicesContext);
  const entry = checkEntry(await findCurrentSession(context));
  const maySee =
    entry.ok &&
    (can(entry.current.user, "user", "list") ||
      (await hasAppLogo(db, entry.current.user.id, params.file)));
  return answerPicture(maySee ? avatars : undefined, "thing", params.file, request);
}
