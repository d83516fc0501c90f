import { doorCall } from "../../middleware/door-call.ts";
import { servicesContext } from "../../worker/services.server.ts";
import type { Route } from "./+types/auth.ts";

export const loader = handle;
export const action = handle;

function handle({ request, context }: Route.LoaderArgs | Route.ActionArgs) {
  return context.get(servicesContext).door.handle(doorCall(request, context));
}
