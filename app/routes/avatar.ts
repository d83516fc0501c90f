import { answerAvatar } from "../features/account/avatar.server.ts";
import { servicesContext } from "../services.server.ts";
import type { Route } from "./+types/avatar.ts";

/** A person's picture, for whoever knows its name: nobody can guess one, and only pages with the person on them tell it. */
export function loader({ request, context, params }: Route.LoaderArgs) {
  return answerAvatar(context.get(servicesContext).avatars, params.id, request);
}
