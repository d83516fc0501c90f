import { z } from "zod";
import { isUnavailable } from "../../db/bounded-d1.server.ts";
import { readJson } from "../../http/json.ts";
import { requestContext } from "../../http/request-context.ts";
import { findCurrentSession } from "../../middleware/session.ts";
import { describeError, log } from "../../runtime/log.ts";
import type { Route } from "./+types/server-function.ts";
import { isServerFunction, runServerFunction } from "./server-functions.server.ts";

const Body = z.object({ payload: z.unknown(), context: z.unknown() });

export async function loader(args: Route.LoaderArgs) {
  if (!isServerFunction(args.context, args.params.id)) return refuse(404, "NOT_FOUND");
  const { searchParams } = args.url;
  const payload = parseParameter(searchParams.get("payload"));
  const context = parseParameter(searchParams.get("context"));
  return payload.ok && context.ok ? run(args, payload.value) : refuse(400, "INVALID_PAYLOAD");
}

export async function action(args: Route.ActionArgs) {
  if (args.request.method !== "POST") {
    return refuse(405, "METHOD_NOT_ALLOWED", { headers: { Allow: "GET, POST" } });
  }
  if (!isServerFunction(args.context, args.params.id)) return refuse(404, "NOT_FOUND");
  const body = await readJson(args.request);
  if (!body.ok) return refuse(body.status, body.code);
  const parsed = Body.safeParse(body.value);
  return parsed.success ? run(args, parsed.data.payload) : refuse(400, "INVALID_PAYLOAD");
}

async function run({ params, context }: Route.LoaderArgs | Route.ActionArgs, payload: unknown) {
  try {
    const current = await findCurrentSession(context);
    const answer = await runServerFunction(context, params.id, current, payload);
    if (answer.ok) return Response.json({ result: answer.result });
    const { status, code, fields } = answer;
    return refuse(status, code, { fields });
  } catch (error) {
    const { id } = context.get(requestContext);
    log("error", "server_function.failed", {
      request: id,
      function: params.id,
      ...describeError(error),
    });
    return isUnavailable(error)
      ? refuse(503, "DATABASE_UNAVAILABLE")
      : refuse(500, "UNKNOWN_ERROR");
  }
}

function refuse(
  status: number,
  code: string,
  { fields, headers }: { fields?: Record<string, string[]>; headers?: HeadersInit } = {},
) {
  return Response.json({ error: { code, ...(fields && { fields }) } }, { status, headers });
}

function parseParameter(text: string | null) {
  try {
    return { ok: true as const, value: text === null ? undefined : JSON.parse(text) };
  } catch {
    return { ok: false as const };
  }
}
