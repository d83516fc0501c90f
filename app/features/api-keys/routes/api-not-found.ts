import { answerProblem } from "../../../http/problem.server.ts";
import { languageContext } from "../../../middleware/locale.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import type { Route } from "./+types/api-not-found.ts";

export const loader = answer;
export const action = answer;

/** Answers paths that the API does not have. */
function answer({ context }: Route.LoaderArgs | Route.ActionArgs) {
  const language = context.get(languageContext);
  const { baseUrl } = context.get(servicesContext).config;
  return answerProblem({ language, baseUrl }, { status: 404, code: "NOT_FOUND" });
}
