import { answerAvatar } from "../features/account/avatar.server.ts";
import { hasSessionCookie } from "../features/auth/session.server.ts";
import { servicesContext } from "../worker/services.server.ts";
import type { Route } from "./+types/avatar.ts";

/**
 * A person's picture, for whoever knows its name: nobody can guess one, and only pages with the person on them tell it.
 * A request without a session cookie of ours is refused before anything is read.
 */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { avatars, config } = context.get(servicesContext);
  const isPerson = await hasSessionCookie(request, config);
  return answerAvatar(isPerson ? avatars : undefined, params.id, request);
}
