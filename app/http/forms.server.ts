import { data } from "react-router";
import type { z } from "zod";
import { describeIssue } from "../i18n/zod-messages.ts";
import { readBody } from "./body.ts";
import { countFields, type FormField, fieldsOf, readFields } from "./form-fields.ts";
import { notFound } from "./responses.ts";

/** Larger than any form of the product, smaller than what would hurt. */
const MAX_FORM_BYTES = 262_144;
/** More than any form of the product has: a list posts up to 100 rows. */
const MAX_FIELDS = 200;

/** What a form's screen needs to draw it again: what was typed, and message references by field; "" is the form's own. */
export type FormResult = {
  values: Record<string, string>;
  errors: Record<string, string[]>;
};

type ParsedForm<T> = { ok: true; value: T; result: FormResult } | { ok: false; result: FormResult };

/** Fields that are never sent back to the browser. */
const SECRETS = ["code"];

type FormOptions = {
  /** The intent of a form posted without one of its buttons, as password managers do it. */
  defaultIntent?: string;
};

/**
 * Reads a posted form by its schema; see `readFields`. Throws 413, 415 or 400 for a body that is no form of ours; bad
 * values are a result. What is wrong with a hidden field is an error of the form as a whole.
 */
export async function parseForm<S extends z.ZodType>(
  request: Request,
  schema: S,
  { defaultIntent }: FormOptions = {},
): Promise<ParsedForm<z.output<S>>> {
  const form = await readForm(request);
  const fields = fieldsOf(schema);
  const typed = readFields(form, fields);
  const input = fields.has("intent") ? { ...typed, intent: typed.intent ?? defaultIntent } : typed;
  const values = Object.fromEntries(
    [...fields.keys()].flatMap((name) => {
      const value = form.get(name);
      return typeof value === "string" && !SECRETS.includes(name)
        ? [[name, value.slice(0, 5_000)]]
        : [];
    }),
  );
  const parsed = schema.safeParse(input, { error: describeIssue });
  return parsed.success
    ? { ok: true, value: parsed.data, result: { values, errors: {} } }
    : { ok: false, result: { values, errors: errorsByField(parsed.error, fields) } };
}

function errorsByField(
  { issues }: z.ZodError,
  fields: ReadonlyMap<string, FormField>,
): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const { path, message } of issues) {
    const name = String(path[0] ?? "");
    const field = fields.get(name);
    const [place, error] = field?.isHidden
      ? ["", "validation:form.incomplete"]
      : [field ? name : "", message];
    errors[place] = [...(errors[place] ?? []), error];
  }
  return errors;
}

/** What a form weighs beside its file: boundaries, names and the fields that go with it. */
const AROUND_FILE_BYTES = 4_096;

/**
 * Reads a posted form with a file of at most `maxFileBytes` in it. "too_large" when the body shows that the file is
 * larger; up to `discardBytes` more are then read and thrown away, for the browser to hear the answer.
 */
export async function readUpload(
  request: Request,
  { maxFileBytes, discardBytes }: { maxFileBytes: number; discardBytes: number },
): Promise<FormData | "too_large"> {
  const type = formTypeOf(request);
  const maxBytes = maxFileBytes + AROUND_FILE_BYTES;
  const body = await readBody(request, { maxBytes, discardBytes });
  return body ? readFormData(body, type) : "too_large";
}

async function readForm(request: Request): Promise<FormData> {
  const type = formTypeOf(request);
  const body = await readBody(request, { maxBytes: MAX_FORM_BYTES });
  if (!body) throw data(null, { status: 413 });
  return readFormData(body, type);
}

function formTypeOf(request: Request): string {
  const type = request.headers.get("content-type") ?? "";
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)) {
    throw data(null, { status: 415 });
  }
  return type;
}

async function readFormData(body: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  if (countFields(body, type) > MAX_FIELDS) throw data(null, { status: 413 });
  try {
    return await new Response(body, { headers: { "content-type": type } }).formData();
  } catch {
    throw data(null, { status: 400 });
  }
}

/**
 * Answers a form with what was wrong, as 400 unless said otherwise: React Router then revalidates nothing. A route that
 * says how long to wait exports `retryAfterHeaders`, or the answer does not.
 */
export function invalid<R extends FormResult>(
  result: R,
  errors: Record<string, string[]> = result.errors,
  { status = 400, retryAfterSeconds }: { status?: number; retryAfterSeconds?: number } = {},
) {
  const headers = new Headers();
  if (retryAfterSeconds) headers.set("Retry-After", String(retryAfterSeconds));
  return data({ ...result, errors }, { status, headers });
}

/** A route's `headers`: React Router leaves out what an action's answer says there, but for cookies. */
export function retryAfterHeaders({ actionHeaders }: { actionHeaders: Headers }): HeadersInit {
  const retryAfter = actionHeaders.get("Retry-After");
  return retryAfter ? { "Retry-After": retryAfter } : {};
}

/** Answers a list's form that was not understood: with what was wrong first, which its screen shows above the list. */
export function invalidChoice({ errors }: FormResult) {
  const [error] = Object.values(errors).flat();
  return error === undefined ? notFound() : data({ error }, { status: 400 });
}
