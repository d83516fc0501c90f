import type { ApiEndpoint } from "../access/api-endpoint.ts";
import { SHARING_ACTS } from "./acts.ts";

const SHARING = {
  path: "/api/v1/repositories/{id}/organizations/{organization}",
  answer: { status: 204 },
} as const;

const SHARING_ERRORS = [
  [404, "REPOSITORY_NOT_FOUND"],
  [403, "YOU_ARE_NOT_ALLOWED_TO_SHARE_REPOSITORIES"],
  [404, "ORGANIZATION_NOT_FOUND"],
] as const;

/** The API of sharing. The key of an organization acts as the member who made it, in this organization alone. */
export const SHARING_API = {
  shareRepository: {
    ...SHARING,
    method: "PUT",
    summary: "Share a repository with an organization, by its short name",
    act: SHARING_ACTS.share,
    organization: ["repository", "create"],
    errors: [...SHARING_ERRORS, [409, "ORGANIZATION_REPOSITORY_LIMIT_REACHED"]],
  },
  unshareRepository: {
    ...SHARING,
    method: "DELETE",
    summary: "End the sharing of a repository with an organization",
    act: SHARING_ACTS.unshare,
    organization: ["repository", "delete"],
    errors: SHARING_ERRORS,
  },
} as const satisfies Record<string, ApiEndpoint>;
