import type { ApiError } from "../../access/api-endpoint.ts";

/** What every call can answer. */
export const COMMON_API_ERRORS: readonly ApiError[] = [
  [400, "INVALID_PAYLOAD"],
  [401, "API_KEY_MISSING"],
  [401, "INVALID_API_KEY"],
  [403, "API_KEY_LACKS_PERMISSION"],
  [403, "NOT_ONBOARDED"],
  [403, "TERMS_NOT_ACCEPTED"],
  // Of the organization of a key; and for sharing of the one in the URL.
  [403, "ORGANIZATION_DISABLED"],
  [403, "ORGANIZATION_BEING_DELETED"],
  [405, "METHOD_NOT_ALLOWED"],
  [429, "TOO_MANY_REQUESTS"],
  [500, "UNKNOWN_ERROR"],
];
