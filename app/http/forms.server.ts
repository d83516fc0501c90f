import { data, type RouterContextProvider } from "react-router";
import type { z } from "zod";
import { describeIssue } from "../i18n/zod-messages.ts";
import { readBody } from "./body.ts";
import { countFields, type FormField, fieldsOf, readFields } from "./form-fields.ts";
import { notFound } from "./responses.ts";

/** Larger than any form of the product, and small enough to do no harm. */
const MAX_FORM_BYTES = 262_144;
/** More than any form of the product has; a list posts up to 200 rows. */
export const MAX_FIELDS = 300;

/**
 * What a form needs to be drawn again: the typed values (of a list, joined with commas), and message references
 * by field. "" is the form as a whole.
 */
export type FormResult = {
  values: Record<string, string>;
  errors: Record<string, string[]>;
};

/** A posted form whose fields were read, and where it came in. */
export type PostedForm = {
  request: Request;
  context: Readonly<RouterContextProvider>;
  url: URL;
  result: FormResult;
};

type ParsedForm<T> = { ok: true; value: T; result: FormResult } | { ok: false; result: FormResult };

/** Fields that are never sent back to the browser. */
export const SECRETS: readonly string[] = ["code", "key", "mailLink"];

type FormOptions = {
  /** Intent of a form that is posted without one of its buttons, as password managers do. */
  defaultIntent?: string;
};

/**
 * Reads a posted form by its schema; see `readFields`. Throws 413, 415 or 400 for a body that is no form of ours. Bad
 * values are returned as errors. An error of a hidden field becomes an error of the form as a whole.
 */
export async function parseForm<S extends z.ZodType>(
  request: Request,
  schema: S,
  options?: FormOptions,
): Promise<ParsedForm<z.output<S>>> {
  return parseFields(await readForm(request), schema, options);
}

/** Reads the fields of a form whose body has been read, such as by `readUpload`; see `parseForm`. */
export function parseFields<S extends z.ZodType>(
  form: FormData,
  schema: S,
  { defaultIntent }: FormOptions = {},
): ParsedForm<z.output<S>> {
  const fields = fieldsOf(schema);
  const typed = readFields(form, fields);
  const input = fields.has("intent") ? { ...typed, intent: typed.intent ?? defaultIntent } : typed;
  const values = Object.fromEntries(
    [...fields].flatMap(([name, { isList }]) => {
      const value = isList ? form.getAll(name).join(",") : form.get(name);
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
    const [shownAt, error] = field?.isHidden
      ? ["", "validation:form.incomplete"]
      : [field ? name : "", message];
    errors[shownAt] = [...(errors[shownAt] ?? []), error];
  }
  return errors;
}

/** Size of a form beside its file: boundaries, names and the other fields. */
const AROUND_FILE_BYTES = 4_096;

/**
 * Reads a posted form with a file of at most `maxFileBytes`. Returns "too_large" when the body is larger. Up to
 * `discardBytes` more are then read and thrown away, so that the browser receives the answer.
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
 * Returns a form's errors with status 400 by default, for which React Router revalidates nothing. A route with
 * `retryAfterSeconds` must export `retryAfterHeaders`.
 */
export function invalid<R extends FormResult>(
  result: R,
  errors: Record<string, string[]> = result.errors,
  {
    status = 400,
    retryAfterSeconds,
  }: { status?: number; retryAfterSeconds?: number | undefined } = {},
) {
  const headers = new Headers();
  if (retryAfterSeconds) headers.set("Retry-After", String(retryAfterSeconds));
  // Named, so that the type of `conflict` is not taken for one of these.
  const refused: R & { theirs?: undefined } = { ...result, errors };
  return data(refused, { status, headers });
}

/** Answers a form with what another person has saved meanwhile, for `useVersioned`. */
export function conflict<R extends FormResult, Theirs>(result: R, theirs: Theirs) {
  return data({ ...result, theirs }, { status: 409 });
}

/** A route's `headers` function. Without it React Router drops an action's headers except cookies. */
export function retryAfterHeaders({ actionHeaders }: { actionHeaders: Headers }): HeadersInit {
  const retryAfter = actionHeaders.get("Retry-After");
  return retryAfter ? { "Retry-After": retryAfter } : {};
}

/** Returns the first error of a list's form, which its screen shows above the list. */
export function invalidChoice({ errors }: FormResult) {
  const [error] = Object.values(errors).flat();
  return error === undefined ? notFound() : data({ error }, { status: 400 });
}
