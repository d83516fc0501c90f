import { hasSessionCookie } from "../features/auth/sessions/sessions.server.ts";
import { answerPicture } from "../features/avatars/picture-store.server.ts";
import { servicesContext } from "../runtime/services-context.ts";
import type { Route } from "./+types/avatar.ts";

/**
 * Serves a user's picture to anyone with its file name. A name cannot be guessed, and only pages that show the user
 * contain it. A request without our session cookie is refused before anything is read.
 */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { avatars, config } = context.get(servicesContext);
  const isPerson = await hasSessionCookie(request, config);
  return answerPicture(isPerson ? avatars : undefined, "avatar", params.id, request);
}
