import type { z } from "zod";
import type { CheckedMessage } from "../ui/text/message.tsx";
import { invalid, parseForm } from "./forms.server.ts";
import { redirectWithToast } from "./toast.ts";

/**
 * Where a new record is shown, or what its form is told: errors by field, and values to fill in
 * instead of the typed ones.
 */
export type Saved =
  | { to: string }
  | { errors: Record<string, string[]>; values?: Record<string, string>; status?: number };

/** Saves a new record from a posted form. Leads to its screen with a message, or draws the form again. */
export async function saveNew<S extends z.ZodType>(
  request: Request,
  schema: S,
  message: CheckedMessage,
  save: (value: z.output<S>) => Promise<Saved>,
) {
  const form = await parseForm(request, schema);
  if (!form.ok) return invalid(form.result);
  const saved = await save(form.value);
  if ("to" in saved) return redirectWithToast(saved.to, { kind: "success", message });
  const { errors, values, status } = saved;
  const result = { ...form.result, values: { ...form.result.values, ...values } };
  return invalid(result, errors, { status });
}
