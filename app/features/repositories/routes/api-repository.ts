import {
  type ApiCall,
  answerApi,
  invalidFields,
  onCall,
  versionHeaders,
} from "../../../middleware/api-call.server.ts";
import type { ApiAnswer } from "../../access/program.server.ts";
import { REPOSITORY_API } from "../api.ts";
import { repositoryAnswer, withinOf } from "../api-answers.server.ts";
import { findRepository, type Repository, repositories } from "../repositories.server.ts";
import { findRepositoryWithin } from "../repository-queries.server.ts";
import type { Route } from "./+types/api-repository.ts";

const HANDLERS = [
  onCall(REPOSITORY_API.getRepository, read),
  onCall(REPOSITORY_API.updateRepository, update),
  onCall(REPOSITORY_API.deleteRepository, remove),
];

const NOT_FOUND = { ok: false, status: 404, code: "REPOSITORY_NOT_FOUND" } as const;

export const loader = (args: Route.LoaderArgs) => answerApi(args, HANDLERS);
export const action = (args: Route.ActionArgs) => answerApi(args, HANDLERS);

async function read({
  services: { db, features },
  holder,
  params,
}: ApiCall<typeof REPOSITORY_API.getRepository>): Promise<ApiAnswer> {
  const { id = "" } = params;
  const row = await findRepositoryWithin(db, id, withinOf(features, holder));
  return row ? shown(row) : NOT_FOUND;
}

/** Changes a repository that is still at the version of `If-Match` or of the body. */
async function update({
  services: { db },
  actor,
  params,
  request,
  body,
}: ApiCall<typeof REPOSITORY_API.updateRepository>): Promise<ApiAnswer> {
  const { version: known, ...yours } = body;
  const before = await findRepository(db, params.id ?? "");
  if (!before) return NOT_FOUND;
  const matched = matchOf(request, before);
  if (matched === "none") return conflict(412, before, yours);
  const version = matched ?? known;
  if (version === undefined) {
    return invalidFields([{ field: "version", message: "validation:generic.required" }]);
  }
  const updated = await repositories.update({ db, actor }, before, yours, version);
  if (!updated.ok && updated.error === "taken") {
    return invalidFields([{ field: "name", message: "validation:name.taken" }]);
  }
  const after = await findRepository(db, before.id);
  if (!after) return NOT_FOUND;
  return updated.ok ? shown(after) : conflict(matched === undefined ? 409 : 412, after, yours);
}

async function remove({
  services: { db },
  actor,
  params,
  request,
}: ApiCall<typeof REPOSITORY_API.deleteRepository>): Promise<ApiAnswer> {
  const before = await findRepository(db, params.id ?? "");
  if (!before) return NOT_FOUND;
  const version = matchOf(request, before);
  if (version === undefined) return { ok: false, status: 428, code: "PRECONDITION_REQUIRED" };
  if (version === "none") return conflict(412, before);
  const deleted = await repositories.remove({ db, actor }, [before.id], version);
  if (deleted.has(before.id)) return { ok: true };
  const after = await findRepository(db, before.id);
  return after ? conflict(412, after) : NOT_FOUND;
}

function shown(row: Repository): ApiAnswer {
  return { ok: true, body: repositoryAnswer(row), headers: versionHeaders(row.version) };
}

/** Refuses a change of what somebody else has changed, with what both wrote. */
function conflict(status: 409 | 412, theirs: Repository, yours?: object): ApiAnswer {
  const more = { ...(yours && { yours }), theirs: repositoryAnswer(theirs) };
  const headers = versionHeaders(theirs.version);
  return {
    ok: false,
    status,
    code: status === 409 ? "CONFLICT" : "PRECONDITION_FAILED",
    more,
    headers,
  };
}

/**
 * Returns the version that `If-Match` asks for and the repository has; undefined without the header, "none" when it has
 * none of them. A weak tag matches nothing (RFC 9110, section 13.1.1).
 */
function matchOf({ headers }: Request, { version }: Repository): number | "none" | undefined {
  const header = headers.get("if-match");
  if (header === null) return undefined;
  const tags = header.split(",").map((tag) => tag.trim());
  return tags.includes("*") || tags.includes(`"${version}"`) ? version : "none";
}
