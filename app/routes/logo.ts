import { can } from "../features/access/permissions.ts";
import { checkEntry } from "../features/auth/sessions/sessions.server.ts";
import { answerPicture } from "../features/avatars/picture-store.server.ts";
import { hasLogo } from "../features/organizations/organization-logo.server.ts";
import { findCurrentSession } from "../middleware/session.ts";
import { servicesContext } from "../runtime/services-context.ts";
import type { Route } from "./+types/logo.ts";

/**
 * Serves the logo of an organization to its members and to managers. Others get the answer for an
 * unknown file, also when they know its name.
 */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { db, avatars } = context.get(servicesContext);
  const entry = checkEntry(await findCurrentSession(context));
  const maySee =
    entry.ok &&
    (can(entry.current.user, "user", "list") ||
      (await hasLogo(db, entry.current.user.id, params.file)));
  return answerPicture(maySee ? avatars : undefined, "logo", params.file, request);
}
