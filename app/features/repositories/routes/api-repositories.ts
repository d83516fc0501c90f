import { href } from "react-router";
import { decodeCursor, encodeCursor } from "../../../lists/query/list-params.ts";
import {
  type ApiCall,
  answerApi,
  invalidFields,
  onCall,
  versionHeaders,
} from "../../../middleware/api-call.server.ts";
import type { ApiAnswer } from "../../access/program.server.ts";
import { type ApiRepository, REPOSITORY_API } from "../api.ts";
import { repositoryAnswer, withinOf } from "../api-answers.server.ts";
import { repositories } from "../repositories.server.ts";
import { repositoryList } from "../repository-queries.server.ts";
import type { Route } from "./+types/api-repositories.ts";

const HANDLERS = [
  onCall(REPOSITORY_API.listRepositories, list),
  onCall(REPOSITORY_API.createRepository, create),
];

export const loader = (args: Route.LoaderArgs) => answerApi(args, HANDLERS);
export const action = (args: Route.ActionArgs) => answerApi(args, HANDLERS);

async function list({
  services,
  holder,
  query,
  now,
}: ApiCall<typeof REPOSITORY_API.listRepositories>): Promise<ApiAnswer> {
  const { searchTerm, sort, direction, after: given } = query;
  const order = `${sort} ${direction}`;
  const after = given === undefined ? undefined : decodeCursor(given);
  if (given !== undefined && after?.order !== order) {
    const message = after?.order ? "validation:cursor.otherOrder" : "validation:cursor.invalid";
    return invalidFields([{ field: "after", message }]);
  }
  const asked = {
    searchTerm,
    filters: undefined,
    sort,
    direction,
    after,
    limit: Number(query.size),
    within: withinOf(services.features, holder),
  };
  const { rows, hasMore, total, cursor } = await repositoryList.page(services.db, asked, { now });
  const next = hasMore && cursor ? encodeCursor({ ...cursor, order }) : null;
  return { ok: true, body: { repositories: rows.map(repositoryAnswer), total, next } };
}

/** Creates a repository, once for each `Idempotency-Key`. */
function create({
  services: { db },
  actor,
  body,
  once,
}: ApiCall<typeof REPOSITORY_API.createRepository>): Promise<ApiAnswer> {
  return once(created, async (keep) => {
    let answer: ApiRepository | undefined;
    const saved = await repositories.create({ db, actor }, body, (row) => {
      answer = repositoryAnswer(row);
      return keep(answer);
    });
    if (!saved.ok || !answer) {
      return invalidFields([{ field: "name", message: "validation:name.taken" }]);
    }
    return created(answer);
  });
}

function created(answer: ApiRepository): ApiAnswer {
  const { id, version } = answer;
  const location = href("/api/v1/repositories/:id", { id });
  const headers = { ...versionHeaders(version), Location: location };
  return { ok: true, body: answer, headers };
}
