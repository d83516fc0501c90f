import { answerApi, onCall } from "../../../middleware/api-call.server.ts";
import { REPOSITORY_API } from "../api.ts";
import type { Route } from "./+types/api-repositories.ts";
import { apiRepositories } from "./api-answers.server.ts";

const HANDLERS = [
  onCall(REPOSITORY_API.listRepositories, (call) =>
    apiRepositories.list(call, call.query, undefined),
  ),
  onCall(REPOSITORY_API.createRepository, (call) => apiRepositories.create(call, call.body)),
];

export const loader = (args: Route.LoaderArgs) => answerApi(args, HANDLERS);
export const action = (args: Route.ActionArgs) => answerApi(args, HANDLERS);
