import { methodNotAllowed } from "../../../http/method-refusal.ts";
import { languageContext } from "../../../middleware/locale.ts";
import { PROVIDER } from "../provider-paths.ts";
import type { Route } from "./+types/revoke.ts";
import { answerForm } from "./call.server.ts";

export function loader({ context }: Route.LoaderArgs) {
  return methodNotAllowed(context.get(languageContext), ["POST"]);
}

/** Ends a token of an app. Source: RFC 7009. */
export function action({ request, context }: Route.ActionArgs) {
  return answerForm({ request, context }, PROVIDER.revoke);
}
