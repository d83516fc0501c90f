import { answerApi, onCall } from "../../../middleware/api-call.server.ts";
import { REPOSITORY_API } from "../api.ts";
import type { Route } from "./+types/api-repository.ts";
import { apiRepositories } from "./api-answers.server.ts";

const HANDLERS = [
  onCall(REPOSITORY_API.getRepository, apiRepositories.read),
  onCall(REPOSITORY_API.updateRepository, (call) => apiRepositories.update(call, call.body)),
  onCall(REPOSITORY_API.deleteRepository, apiRepositories.remove),
];

export const loader = (args: Route.LoaderArgs) => answerApi(args, HANDLERS);
export const action = (args: Route.ActionArgs) => answerApi(args, HANDLERS);
