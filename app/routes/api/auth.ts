import { gatewayCall } from "../../middleware/gateway-call.server.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import type { Route } from "./+types/auth.ts";

export const loader = handle;
export const action = handle;

function handle({ request, context }: Route.LoaderArgs | Route.ActionArgs) {
  return context.get(servicesContext).gateway.handle(gatewayCall(request, context));
}
