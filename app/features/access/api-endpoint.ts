import type { z } from "zod";
import type { ErrorCode } from "../../i18n/message-key.ts";
import type { Act } from "./act.ts";
import type { OrganizationPermission } from "./organization-permissions.ts";

/**
 * A call of the product's own API, as its route runs it and its documentation describes it.
 */
export type ApiEndpoint = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path with `{name}` for each parameter. */
  path: `/api/v1/${string}`;
  summary: string;
  /**
   * What it does. The key's owner must be allowed to, and the key too, which then does it without a proof.
   */
  act: Act;
  /** The same for the key of an organization. Without it such a key is refused. */
  organization?: OrganizationPermission;
  /** True when no other key makes it: what it changes is an organization's. */
  isOfOrganization?: true;
  /** True when every key and app makes it, whatever it was given. */
  isForAll?: true;
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
