import { methodNotAllowed } from "../../../http/method-refusal.ts";
import { languageContext } from "../../../middleware/locale.ts";
import { PROVIDER } from "../provider-paths.ts";
import type { Route } from "./+types/introspect.ts";
import { answerForm } from "./call.server.ts";

export function loader({ context }: Route.LoaderArgs) {
  return methodNotAllowed(context.get(languageContext), ["POST"]);
}

/** Tells an app whether one of its tokens counts. Source: RFC 7662. */
export function action({ request, context }: Route.ActionArgs) {
  return answerForm({ request, context }, PROVIDER.introspect);
}
