import { href } from "react-router";
import { decodeCursor, encodeCursor } from "../../../lists/query/list-params.ts";
import {
  type ApiAnswer,
  type ApiCall,
  answerApi,
  invalidFields,
  onCall,
  versionHeaders,
} from "../../../middleware/api-call.server.ts";
import {
  claimRequest,
  type IdempotentRequest,
  keepAnswer,
  releaseRequest,
} from "../../api-keys/idempotency.server.ts";
import { hashText } from "../../api-keys/secret.server.ts";
import { REPOSITORY_API } from "../api.ts";
import { repositoryAnswer } from "../api-answers.server.ts";
import { createRepository } from "../repositories.server.ts";
import { listRepositories, repositoryCursor } from "../repository-queries.server.ts";
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
}: ApiCall<typeof REPOSITORY_API.listRepositories>): Promise<ApiAnswer> {
  const { searchTerm, sort, direction, after: cursor } = query;
  const order = `${sort} ${direction}`;
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  if (cursor !== undefined && after?.order !== order) {
    const message = after?.order ? "validation:cursor.otherOrder" : "validation:cursor.invalid";
    return invalidFields([{ field: "after", message }]);
  }
  const { rows, hasMore, total } = await listRepositories(services.db, {
    ...{ searchTerm, sort, direction, after, limit: Number(query.size) },
    organizationId: holder.organization?.id,
  });
  const last = rows.at(-1);
  const next = hasMore && last ? encodeCursor({ ...repositoryCursor(last, sort), order }) : null;
  return { ok: true, body: { repositories: rows.map(repositoryAnswer), total, next } };
}

type Creation = ApiCall<typeof REPOSITORY_API.createRepository>;

/** Creates a repository, once for each `Idempotency-Key`. */
async function create(call: Creation): Promise<ApiAnswer> {
  const idempotencyKey = call.request.headers.get("idempotency-key");
  if (idempotencyKey === null) return createOnce(call);
  if (!/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
    return invalidFields([
      { field: "Idempotency-Key", message: "validation:generic.invalidFormat.default" },
    ]);
  }
  const { db } = call.services;
  const request = {
    ...{ idempotencyKey, apiKeyId: call.holder.keyId },
    requestHash: await hashText(JSON.stringify(call.body)),
  };
  const claim = await claimRequest(db, request, call.now);
  switch (claim.state) {
    case "answered":
      return created(JSON.parse(claim.answer));
    case "refused":
      return claim.code === "IDEMPOTENCY_KEY_REUSED"
        ? { ok: false, status: 422, code: claim.code }
        : { ok: false, status: 409, code: claim.code, retryAfterSeconds: 1 };
    case "first": {
      // A request that is refused, or that fails before anything is written, can be sent again.
      const answer = await createOnce(call, request).catch(async (error) => {
        await releaseRequest(db, request);
        throw error;
      });
      if (!answer.ok) await releaseRequest(db, request);
      return answer;
    }
  }
}

async function createOnce(
  { services: { db }, actor, body }: Creation,
  request?: IdempotentRequest,
): Promise<ApiAnswer> {
  let answer: ReturnType<typeof repositoryAnswer> | undefined;
  const saved = await createRepository(db, actor, body, (row) => {
    answer = repositoryAnswer(row);
    return request && keepAnswer(db, request, JSON.stringify(answer));
  });
  if (!saved.ok || !answer) {
    return invalidFields([{ field: "name", message: "validation:name.taken" }]);
  }
  return created(answer);
}

function created(answer: ReturnType<typeof repositoryAnswer>): ApiAnswer {
  const { id, version } = answer;
  const location = href("/api/v1/repositories/:id", { id });
  const headers = { ...versionHeaders(version), Location: location };
  return { ok: true, body: answer, headers };
}
