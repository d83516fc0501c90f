import { notFound } from "../../http/responses.ts";
import type { ErrorCode } from "../../i18n/message-key.ts";
import type { CheckedMessage } from "../../ui/text/message.tsx";
import type { OwnedResult } from "./owned-rows.server.ts";

/**
 * Where a subject says that another row has a value, in its own words if it has any, and that a
 * reference leads to nothing.
 * @public For features, of which there may be none.
 */
export type OwnedErrors = {
  taken?: { field: string; message?: CheckedMessage };
  unmet?: { field: string };
};

/**
 * Returns the field beside which a refused save is told, and the message; undefined where it has no field.
 * @public For features, of which there may be none.
 */
export function fieldErrorOf(
  { error }: OwnedResult & { ok: false },
  { taken, unmet }: OwnedErrors,
): { field: string; message: CheckedMessage } | undefined {
  if (error === "taken" && taken) {
    return { field: taken.field, message: taken.message ?? "validation:record.taken" };
  }
  if (error === "unmet" && unmet) return { field: unmet.field, message: "validation:record.gone" };
  return undefined;
}

/**
 * Returns the errors of a refused save by their field, for `saveNew` and `saveVersioned`; 404 where
 * the actor sees no owner. A conflict has none: its form shows both values.
 * @public For features, of which there may be none.
 */
export function errorsOf(
  refused: OwnedResult & { ok: false },
  errors: OwnedErrors,
): { errors: Record<string, string[]>; status?: number } {
  const error = fieldErrorOf(refused, errors);
  if (error) return { errors: { [error.field]: [error.message] } };
  if (refused.error !== "refused") return { errors: { "": ["records:gone"] }, status: 409 };
  const { code } = refused;
  if (code === "ORGANIZATION_NOT_FOUND") notFound();
  return { errors: { "": [`codes:${code}`] }, status: statusOf(code) };
}

/** Returns the status of a refusal: the role is too low, or nothing can change now. */
export function statusOf(code: ErrorCode): 403 | 409 {
  return code.startsWith("YOU_ARE_NOT_ALLOWED") ? 403 : 409;
}
