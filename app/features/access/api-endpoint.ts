import type { z } from "zod";
import type { ErrorCode } from "../../i18n/message-key.ts";
import type { OrganizationPermission } from "./organization-permissions.ts";
import type { Permission } from "./permissions.ts";

/**
 * A call of the product's own API, as its route runs it and its documentation describes it.
 */
export type ApiEndpoint = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path with `{name}` for each parameter. */
  path: `/api/v1/${string}`;
  summary: string;
  /**
   * What the key's owner must be allowed to do, and the key too. A kind of key without a permission here is refused.
   */
  permissions: { user: Permission; organization?: OrganizationPermission };
  /** What it does, as the table of proofs names it. A key does it without a proof, if it was given the permission. */
  act: string;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** Request headers beside the key's. */
  headers?: readonly ("Idempotency-Key" | "If-Match")[];
  /** The one of them without which it is refused. */
  requires?: "If-Match";
  answer: {
    status: 200 | 201 | 204;
    /** JSON body, or one of its lines; 204 has none. */
    body?: z.ZodObject;
    /** Type of a body of lines. */
    type?: "application/x-ndjson";
    headers?: readonly ("ETag" | "Location")[];
  };
  errors: readonly ApiError[];
  /** Its refusals, where they say more than an `ApiProblem`. */
  problem?: z.ZodObject;
};

export type ApiError = readonly [status: number, code: ErrorCode];
