import type { RouterContextProvider } from "react-router";
import type { z } from "zod";
import { isUnavailable } from "../db/bounded-d1.server.ts";
import type { ApiEndpoint } from "../features/access/api-endpoint.ts";
import type {
  ApiAnswer,
  AppCallers,
  KeyHolder,
  Once,
  Programs,
} from "../features/access/program.server.ts";
import { needsProof } from "../features/access/proof.ts";
import type { Actor } from "../features/audit/audit.server.ts";
import { termsVersionInForce } from "../features/site-settings/terms.server.ts";
import { readJson } from "../http/json.ts";
import { answerProblem, type Problem } from "../http/problem.server.ts";
import { requestContext } from "../http/request-context.ts";
import { describeIssue } from "../i18n/zod-messages.ts";
import { describeError, log } from "../runtime/log.ts";
import { servicesContext } from "../runtime/services-context.ts";
import type { Services } from "../worker/services.server.ts";
import { languageContext } from "./locale.ts";

type Args = {
  request: Request;
  context: Readonly<RouterContextProvider>;
  params: Record<string, string | undefined>;
  url: URL;
};

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** A call that its key may make, with its input parsed. */
export type ApiCall<E extends ApiEndpoint = ApiEndpoint> = {
  request: Request;
  services: Services;
  holder: KeyHolder;
  actor: Actor;
  now: Date;
  query: Parsed<E["query"]>;
  body: Parsed<E["body"]>;
  params: Record<string, string | undefined>;
  once: Once;
};

type ApiHandler = { endpoint: ApiEndpoint; answer: (call: ApiCall) => Promise<ApiAnswer> };

/** Joins an endpoint of the API with the function that answers it. */
export function onCall<E extends ApiEndpoint>(
  endpoint: E,
  answer: (call: ApiCall<E>) => Promise<ApiAnswer>,
): ApiHandler {
  // The input was parsed by this endpoint's schemas.
  return { endpoint, answer: (call) => answer(call as ApiCall<E>) };
}

/**
 * Answers a request to a path of the API: its key or an app's token, its limit and permission, then its input. Every
 * refusal is a problem with an error code. A call with a known key is written down after its answer.
 */
export async function answerApi(args: Args, handlers: readonly ApiHandler[]): Promise<Response> {
  const { request, context, url } = args;
  const { db, features } = context.get(servicesContext);
  const { programs } = features;
  const info = context.get(requestContext);
  const { response, keyId } = await answerCall(args, handlers, programs);
  if (programs && keyId !== undefined) {
    const { status } = response;
    const { method } = request;
    const path = url.pathname;
    const at = info.now();
    const call = { keyId, status, method, path, requestId: info.id, at };
    info.afterAnswer(() =>
      programs.record(db, call).catch((error) => {
        log("error", "api.not_recorded", { request: info.id, path, ...describeError(error) });
      }),
    );
  }
  return response;
}

type Answered = { response: Response; keyId?: string | undefined };

async function answerCall(
  args: Args,
  handlers: readonly ApiHandler[],
  programs: Programs | undefined,
): Promise<Answered> {
  const { context, url } = args;
  const info = context.get(requestContext);
  const { baseUrl } = context.get(servicesContext).config;
  const reader = { language: context.get(languageContext), baseUrl };
  let keyId: string | undefined;
  const refuse = (problem: Problem) => {
    const { status, code } = problem;
    log("warn", "api.refused", { request: info.id, path: url.pathname, status, code });
    return { response: answerProblem(reader, problem), keyId };
  };
  try {
    if (!programs) return refuse({ status: 404, code: "NOT_FOUND" });
    const { appCallers } = context.get(servicesContext).features;
    const callers = appCallers?.isKnown(args.request) ? appCallers : programs;
    const lookup = await findHolder(args, callers);
    keyId = keyIdOf(lookup);
    if (!lookup.ok) return refuse(lookup);
    const opened = await openCall(args, handlers, { programs, callers }, lookup.holder);
    if (!opened.ok) return refuse(opened);
    const { call, handler } = opened;
    const { method, answer } = handler.endpoint;
    const answered = await handler.answer(call);
    if (!answered.ok) return refuse(answered);
    if (method !== "GET") {
      const { user } = call.holder;
      log("info", "api.changed", {
        request: info.id,
        path: url.pathname,
        method,
        user: user.id,
        [call.holder.by.type]: call.holder.by.id,
      });
    }
    const { status } = answer;
    const { headers = {}, body, lines } = answered;
    if (lines && answer.type) {
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
      const ofLines = { ...headers, "Content-Type": answer.type };
      return { response: new Response(text, { status, headers: ofLines }), keyId };
    }
    const response = body
      ? Response.json(body, { status, headers })
      : new Response(null, { status, headers });
    return { response, keyId };
  } catch (error) {
    log("error", "api.failed", { request: info.id, path: url.pathname, ...describeError(error) });
    const response = answerProblem(
      reader,
      isUnavailable(error)
        ? { status: 503, code: "DATABASE_UNAVAILABLE" }
        : { status: 500, code: "UNKNOWN_ERROR" },
    );
    return { response, keyId };
  }
}

/** Returns the key of a call, for its log; undefined for an app, and for an unknown key. */
function keyIdOf(lookup: Awaited<ReturnType<Programs["findHolder"]>>): string | undefined {
  if (!lookup.ok) return lookup.keyId;
  const { by } = lookup.holder;
  return by.type === "key" ? by.id : undefined;
}

function findHolder(
  { request, context }: Args,
  callers: Callers,
): ReturnType<Programs["findHolder"]> {
  const { db, config } = context.get(servicesContext);
  return callers.findHolder(request, {
    db,
    adminEmails: config.adminEmails,
    now: context.get(requestContext).now(),
    termsVersion: termsVersionInForce(config),
  });
}

/** Those who know keys, or those who know apps. */
type Callers = Programs | AppCallers;

type Opened = { ok: true; call: ApiCall; handler: ApiHandler } | ({ ok: false } & Problem);

async function openCall(
  { request, context, params, url }: Args,
  handlers: readonly ApiHandler[],
  { programs, callers }: { programs: Programs; callers: Callers },
  holder: KeyHolder,
): Promise<Opened> {
  const services = context.get(servicesContext);
  const info = context.get(requestContext);
  const { db } = services;
  const now = info.now();
  const method = request.method === "HEAD" ? "GET" : request.method;
  const handler = handlers.find(({ endpoint }) => endpoint.method === method);
  if (!handler) return { ok: false, ...methodNotAllowed(handlers) };
  const { endpoint } = handler;
  const refusal = callers.refusalOf(holder, withAdditions(services, endpoint));
  if (refusal) return { ok: false, ...refusal };
  const query = parse(endpoint.query, Object.fromEntries([...url.searchParams].reverse()));
  if (!query.ok) return query;
  const sent = endpoint.body ? await readJson(request) : ({ ok: true, value: undefined } as const);
  if (!sent.ok) return sent;
  const body = parse(endpoint.body, sent.value);
  if (!body.ok) return body;
  const actor = { actorId: holder.user.id, impersonatorId: null, source: info };
  if ("approve" in callers && needsProof(endpoint.act)) {
    const { baseUrl } = services.config;
    const proved = { db, baseUrl, request, actor, holder, endpoint, params, body: body.value };
    const missing = await callers.approve(proved);
    if (missing) return { ok: false, ...missing };
  }
  return {
    ok: true,
    handler,
    // Without a schema there is no value.
    call: {
      request,
      services,
      holder,
      actor,
      now,
      params,
      query: query.value as undefined,
      body: body.value as undefined,
      once: programs.once(db, { request, holder, body: body.value, now }),
    },
  };
}

/** Returns a call with what other features add to it. */
function withAdditions({ features }: Services, endpoint: ApiEndpoint): ApiEndpoint {
  const { method, path } = endpoint;
  const known = Object.values(features.api).find(
    (one) => one.method === method && one.path === path,
  );
  return known ?? endpoint;
}

function methodNotAllowed(handlers: readonly ApiHandler[]): Problem {
  const methods = handlers.map(({ endpoint }) => endpoint.method);
  const allowed = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  return { status: 405, code: "METHOD_NOT_ALLOWED", headers: { Allow: allowed.join(", ") } };
}

function parse(schema: z.ZodType | undefined, input: unknown) {
  if (!schema) return { ok: true, value: undefined } as const;
  const parsed = schema.safeParse(input, { error: describeIssue });
  if (parsed.success) return { ok: true, value: parsed.data } as const;
  const fields = parsed.error.issues.map(({ path, message }) => ({
    field: path.join("."),
    message,
  }));
  return invalidFields(fields);
}

/**
 * Returns the headers of an answer whose version a program sends back in `If-Match`. Cloudflare
 * compresses other answers and weakens their tags, which would then match nothing (RFC 9110,
 * section 13.1.1).
 * @public For features, of which there may be none.
 */
export function versionHeaders(version: number): Record<string, string> {
  return { ETag: `"${version}"`, "Cache-Control": "no-store, no-transform" };
}

/** @public For features, of which there may be none. */
export function invalidFields(fields: NonNullable<Problem["fields"]>) {
  return { ok: false, status: 400, code: "INVALID_PAYLOAD", fields } as const;
}
