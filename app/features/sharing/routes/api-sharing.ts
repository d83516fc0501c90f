import type { ErrorCode } from "../../../i18n/message-key.ts";
import { type ApiCall, answerApi, onCall } from "../../../middleware/api-call.server.ts";
import { takeChange } from "../../access/change-limit.server.ts";
import type { ApiAnswer } from "../../access/program.server.ts";
import {
  idOfSlug,
  type OrganizationCall,
  only,
  type Refusal,
} from "../../organizations/standing.server.ts";
import { SHARING_API } from "../api.ts";
import { shareRepository, unshareRepository } from "../sharing.server.ts";
import type { Route } from "./+types/api-sharing.ts";

const HANDLERS = [
  onCall(SHARING_API.shareRepository, (call) => change(call, shareRepository)),
  onCall(SHARING_API.unshareRepository, (call) => change(call, unshareRepository)),
];

export const loader = (args: Route.LoaderArgs) => answerApi(args, HANDLERS);
export const action = (args: Route.ActionArgs) => answerApi(args, HANDLERS);

const STATUS: Partial<Record<ErrorCode, number>> = {
  ORGANIZATION_NOT_FOUND: 404,
  REPOSITORY_NOT_FOUND: 404,
  ORGANIZATION_REPOSITORY_LIMIT_REACHED: 409,
};

/** Shares a repository, or ends that. A key of an organization does it as its maker, in this organization alone. */
async function change(
  { services: { db }, actor, holder, now, params }: ApiCall,
  command: (call: OrganizationCall, repositoryId: string) => Promise<{ ok: true } | Refusal>,
): Promise<ApiAnswer> {
  const { id = "", organization: slug = "" } = params;
  const own = holder.organization;
  const retryAfterSeconds = own ? await takeChange(db, actor.actorId, now) : undefined;
  if (retryAfterSeconds)
    return { ok: false, status: 429, code: "TOO_MANY_REQUESTS", retryAfterSeconds };
  const named = idOfSlug(slug, now);
  const call = own
    ? ({ db, actor, key: { id: only(named, own.id) }, as: "member" } as const)
    : ({ db, actor, key: { id: named }, as: "manager" } as const);
  const result = await command(call, id);
  if (result.ok) return { ok: true };
  return { ok: false, status: STATUS[result.code] ?? 403, code: result.code };
}
