import { z } from "zod";
import { PAGE_SIZES } from "../../lists/query/list-sizes.ts";
import { SEARCH_TERM_MAX_LENGTH } from "../../values/limits.ts";
import type { ApiEndpoint } from "../access/api-endpoint.ts";
import { ApiProblem } from "../access/api-problem.ts";
import { permissionAct } from "../access/proof.ts";
import { REPOSITORY_ACTS } from "./acts.ts";
import { RepositoryInput } from "./input.ts";
import { REPOSITORY_SORTS } from "./repository-limits.ts";

const ApiRepository = z
  .object({
    id: z.string(),
    name: z.string(),
    link: z.string(),
    description: z.string().nullable(),
    /** Grows with each change. */
    version: z.int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Repository" });

export type ApiRepository = z.infer<typeof ApiRepository>;

/** Search params of the list: those of the screens, but a wrong value is refused. */
const ApiRepositoryQuery = z.object({
  searchTerm: z.string().trim().max(SEARCH_TERM_MAX_LENGTH).default(""),
  sort: z.enum(REPOSITORY_SORTS).default("updated"),
  direction: z.enum(["asc", "desc"]).default("desc"),
  size: z
    .enum(PAGE_SIZES.map(String))
    .default(String(PAGE_SIZES[0]))
    .describe("Repositories of a page."),
  after: z
    .string()
    .max(2_000)
    .optional()
    .describe("The `next` of the page before, with the same other parameters."),
});

const ApiRepositoryPage = z
  .object({
    repositories: z.array(ApiRepository),
    total: z.object({
      count: z.int(),
      isCapped: z.boolean().describe("True when there are more than `count`."),
    }),
    next: z.string().nullable().describe("The next page's `after`; null on the last page."),
  })
  .meta({ id: "RepositoryPage" });

const ApiRepositoryUpdate = RepositoryInput.extend({
  version: z
    .int()
    .optional()
    .describe("The version that was read. Required without the header `If-Match`."),
});

/** A refusal; after a conflict with both repositories. */
export const RepositoryProblem = ApiProblem.extend({
  yours: RepositoryInput.partial().optional().describe("After a conflict: what was sent."),
  theirs: ApiRepository.optional().describe("After a conflict: the repository as it is now."),
}).meta({ id: "RepositoryProblem" });

const NOT_FOUND = [404, "REPOSITORY_NOT_FOUND"] as const;

const JSON_BODY = [
  [413, "PAYLOAD_TOO_LARGE"],
  [415, "UNSUPPORTED_MEDIA_TYPE"],
] as const;

/** The API of repositories. */
export const REPOSITORY_API = {
  listRepositories: {
    method: "GET",
    path: "/api/v1/repositories",
    summary: "List and search repositories",
    act: permissionAct(["repository", "read"]),
    query: ApiRepositoryQuery,
    answer: { status: 200, body: ApiRepositoryPage },
    errors: [],
  },
  createRepository: {
    method: "POST",
    path: "/api/v1/repositories",
    summary: "Create a repository",
    act: permissionAct(["repository", "create"]),
    body: RepositoryInput,
    headers: ["Idempotency-Key"],
    answer: { status: 201, body: ApiRepository, headers: ["ETag", "Location"] },
    errors: [...JSON_BODY, [409, "IDEMPOTENCY_KEY_IN_USE"], [422, "IDEMPOTENCY_KEY_REUSED"]],
  },
  getRepository: {
    method: "GET",
    path: "/api/v1/repositories/{id}",
    summary: "Read a repository",
    act: permissionAct(["repository", "read"]),
    answer: { status: 200, body: ApiRepository, headers: ["ETag"] },
    errors: [NOT_FOUND],
  },
  updateRepository: {
    method: "PUT",
    path: "/api/v1/repositories/{id}",
    summary: "Change a repository",
    act: permissionAct(["repository", "update"]),
    body: ApiRepositoryUpdate,
    headers: ["If-Match"],
    answer: { status: 200, body: ApiRepository, headers: ["ETag"] },
    errors: [...JSON_BODY, NOT_FOUND, [409, "CONFLICT"], [412, "PRECONDITION_FAILED"]],
    problem: RepositoryProblem,
  },
  deleteRepository: {
    method: "DELETE",
    path: "/api/v1/repositories/{id}",
    summary: "Delete a repository",
    act: REPOSITORY_ACTS.delete,
    headers: ["If-Match"],
    requires: "If-Match",
    answer: { status: 204 },
    errors: [NOT_FOUND, [412, "PRECONDITION_FAILED"], [428, "PRECONDITION_REQUIRED"]],
    problem: RepositoryProblem,
  },
} as const satisfies Record<string, ApiEndpoint>;
