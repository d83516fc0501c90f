import { methodNotAllowed } from "../../../http/method-refusal.ts";
import { languageContext } from "../../../middleware/locale.ts";
import { PROVIDER } from "../provider-paths.ts";
import type { Route } from "./+types/device-request.ts";
import { answerForm } from "./call.server.ts";

export function loader({ context }: Route.LoaderArgs) {
  return methodNotAllowed(context.get(languageContext), ["POST"]);
}

/** Gives a device without a browser its codes. Source: RFC 8628, 3.1. */
export function action({ request, context }: Route.ActionArgs) {
  return answerForm({ request, context }, PROVIDER.device);
}
