import { answerProblem } from "../../../http/problem.server.ts";
import { languageContext } from "../../../middleware/locale.ts";
import type { Route } from "./+types/api-not-found.ts";

export const loader = answer;
export const action = answer;

/** Answers paths that the API does not have. */
function answer({ context }: Route.LoaderArgs | Route.ActionArgs) {
  return answerProblem(context.get(languageContext), { status: 404, code: "NOT_FOUND" });
}
