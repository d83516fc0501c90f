import { methodNotAllowed } from "../../../http/method-refusal.ts";
import { languageContext } from "../../../middleware/locale.ts";
import { PROVIDER } from "../provider-paths.ts";
import type { Route } from "./+types/token.ts";
import { answerForm } from "./call.server.ts";

export function loader({ context }: Route.LoaderArgs) {
  return methodNotAllowed(context.get(languageContext), ["POST"]);
}

/** Gives an app tokens for a code, or new ones for a refresh token. Sources: RFC 6749, 5 and 6; RFC 7636. */
export function action({ request, context }: Route.ActionArgs) {
  return answerForm({ request, context }, PROVIDER.token);
}
