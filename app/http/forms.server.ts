import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "react-router";
import type { z } from "zod";
import { describeIssue } from "../i18n/zod-messages.ts";
import { notFound } from "./responses.ts";

/** Larger than any form of the product, smaller than what would hurt. */
const MAX_FORM_BYTES = 262_144;

/** What a form's screen needs to draw it again: what was typed, and message references by field; "" is the form's own. */
export type FormResult = {
  values: Record<string, string>;
  errors: Record<string, string[]>;
};

type ParsedForm<T> = { ok: true; value: T; result: FormResult } | { ok: false; result: FormResult };

/** Fields that are never sent back to the browser. */
const SECRETS = ["code"];

/** Reads a posted form. Throws 413 or 415 for a body that is no form of ours; bad values are a result. */
export async function parseForm<S extends z.ZodType>(
  request: Request,
  schema: S,
): Promise<ParsedForm<z.output<S>>> {
  const form = await readForm(request);
  const submission = parseWithZod(form, { schema, error: describeIssue });
  const values = Object.fromEntries(
    [...form].flatMap(([name, value]) =>
      typeof value === "string" && !SECRETS.includes(name) ? [[name, value.slice(0, 5_000)]] : [],
    ),
  );
  if (submission.status === "success") {
    return { ok: true, value: submission.value as z.output<S>, result: { values, errors: {} } };
  }
  const errors = Object.fromEntries(
    Object.entries(submission.error ?? {}).map(([field, messages]) => [field, messages ?? []]),
  );
  return { ok: false, result: { values, errors } };
}

/** What a form weighs beside its file: boundaries, names and the fields that go with it. */
const AROUND_FILE_BYTES = 4_096;

/**
 * Reads a posted form with a file of at most so many bytes in it. "too_large" when the body shows that the file is
 * larger: it is then read to its end, or a browser that still sends would not hear the answer, and nothing of it is kept.
 */
export async function readUpload(
  request: Request,
  maxFileBytes: number,
): Promise<FormData | "too_large"> {
  const type = formTypeOf(request);
  const max = maxFileBytes + AROUND_FILE_BYTES;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const part of request.body ?? []) {
    length += part.length;
    if (length <= max) parts.push(part);
    else parts.length = 0;
  }
  return length > max ? "too_large" : readFields(new Blob(parts), type);
}

async function readForm(request: Request): Promise<FormData> {
  const type = formTypeOf(request);
  const length = Number(request.headers.get("content-length") ?? 0);
  const body = length > MAX_FORM_BYTES ? undefined : await request.arrayBuffer();
  if (!body || body.byteLength > MAX_FORM_BYTES) throw data(null, { status: 413 });
  return readFields(body, type);
}

function formTypeOf(request: Request): string {
  const type = request.headers.get("content-type") ?? "";
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)) {
    throw data(null, { status: 415 });
  }
  return type;
}

async function readFields(body: BodyInit, type: string): Promise<FormData> {
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

/** Answers a list's form whose rows were not chosen well; 404 when it is something that no list posts. */
export function invalidChoice({ errors }: FormResult) {
  const [error] = errors.id ?? [];
  return error === undefined ? notFound() : data({ error }, { status: 400 });
}
