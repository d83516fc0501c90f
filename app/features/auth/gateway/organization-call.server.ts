import type { z } from "zod";
import { readJson } from "../../../http/json.ts";
import type { RequestInfo } from "../../../http/request-context.ts";
import type { Language } from "../../../i18n/languages.ts";
import type { ErrorCode } from "../../../i18n/message-key.ts";
import { log } from "../../../runtime/log.ts";
import { needsProof } from "../../access/proof.ts";
import { type CurrentSession, checkEntry, isFresh } from "../sessions/sessions.server.ts";
import { codeForInvalid } from "./endpoints.server.ts";
import { type GatewayCall, type GatewayResult, refusal } from "./gateway-call.ts";

/** An endpoint of organizations: their feature answers it after the gateway's checks. */
type OrganizationEndpoint = {
  method: "GET" | "POST";
  /** Closed to a manager who impersonates the user. */
  isChange: boolean;
  /** Reads the JSON body, or the query of a GET. */
  input: z.ZodType<Record<string, unknown>>;
  /** What a change does, as the table of proofs names it. */
  actOf: (input: Record<string, unknown>) => string;
  answer: (
    request: { current: CurrentSession; info: RequestInfo; language: Language },
    input: Record<string, unknown>,
  ) => Promise<
    | { ok: true; body: unknown }
    | { ok: false; status: number; code: ErrorCode; retryAfterSeconds?: number }
  >;
};

/** The endpoints of organizations, by path. */
export type OrganizationEndpoints = Record<string, OrganizationEndpoint | undefined>;

/**
 * Answers a call of an organization endpoint. Errors: those of `checkEntry`, CLOSED_WHILE_IMPERSONATING, those of
 * `readJson` and `codeForInvalid`, SESSION_EXPIRED for a change that needs a fresh proof, and the endpoint's own.
 */
export async function passOrganizationCall(
  endpoint: OrganizationEndpoint,
  call: GatewayCall,
  path: string,
): Promise<GatewayResult<unknown>> {
  const { request, info, language } = call;
  const entry = checkEntry(await call.current());
  if (!entry.ok) return refusal(entry.status, entry.code);
  const { current } = entry;
  if (endpoint.isChange && current.session.impersonatedBy) {
    return refusal(403, "CLOSED_WHILE_IMPERSONATING");
  }
  const sent =
    endpoint.method === "GET"
      ? ({ ok: true, value: readQuery(new URL(request.url)) } as const)
      : await readJson(request);
  if (!sent.ok) return refusal(sent.status, sent.code);
  const parsed = endpoint.input.safeParse(sent.value);
  if (!parsed.success) return refusal(400, codeForInvalid(parsed.error));
  const isProofDue = endpoint.isChange && needsProof(endpoint.actOf(parsed.data));
  if (isProofDue && !isFresh(current, info.now())) return refusal(403, "SESSION_EXPIRED");
  const result = await endpoint.answer({ current, info, language }, parsed.data);
  if (!result.ok) {
    const { status, code, retryAfterSeconds } = result;
    log("warn", "auth.refused", { request: info.id, path, status, code });
    return { ...refusal(status, code), retryAfterSeconds };
  }
  if (endpoint.isChange) {
    log("info", `auth${path.replaceAll("/", ".")}`, { request: info.id, user: current.user.id });
  }
  return { ok: true, headers: new Headers(), body: result.body };
}

/** Reads a query as better-auth does: a repeated parameter is a list. */
function readQuery({ searchParams }: URL): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const [first = "", ...others] = searchParams.getAll(name);
      return [name, others.length > 0 ? [first, ...others] : first];
    }),
  );
}
