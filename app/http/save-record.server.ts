import { redirect } from "react-router";
import type { z } from "zod";
import type { CheckedMessage } from "../ui/text/message.tsx";
import { conflict, type FormResult, invalid, parseForm } from "./forms.server.ts";
import { redirectWithToast } from "./toast.ts";

/**
 * Where a new record is shown, or what its form is told: errors by field, and values to fill in
 * instead of the typed ones.
 */
export type Saved = { to: string } | Refused;

type Refused = {
  errors: Record<string, string[]>;
  values?: Record<string, string>;
  status?: number;
};

/**
 * Reads a posted form and saves it as a new record. Leads to the record's screen, whose heading
 * names it, or draws the form again.
 */
export async function saveNew<S extends z.ZodType>(
  request: Request,
  schema: S,
  save: (value: z.output<S>) => Promise<Saved>,
) {
  const form = await parseForm(request, schema);
  if (!form.ok) return invalid(form.result);
  const saved = await save(form.value);
  return "to" in saved ? redirect(saved.to) : drawAgain(form.result, saved);
}

/**
 * Reads a posted form and saves a record at the version that its form was loaded with. Leads to the
 * record's screen with a message. After a conflict `save` returns the values that another person has
 * saved, for `useVersioned`.
 * @public For features, of which there may be none.
 */
export async function saveVersioned<S extends z.ZodType<{ version: number }>, Theirs>(
  request: Request,
  schema: S,
  message: CheckedMessage,
  save: (value: z.output<S>) => Promise<Saved | { theirs: Theirs }>,
) {
  const form = await parseForm(request, schema);
  if (!form.ok) return invalid(form.result);
  const saved = await save(form.value);
  if ("theirs" in saved) return conflict(form.result, saved.theirs);
  if ("to" in saved) return redirectWithToast(saved.to, { kind: "success", message });
  return drawAgain(form.result, saved);
}

function drawAgain(result: FormResult, { errors, values, status }: Refused) {
  return invalid({ ...result, values: { ...result.values, ...values } }, errors, { status });
}
