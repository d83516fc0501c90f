import type { SQL } from "drizzle-orm";
import type { z } from "zod";
import type { Db } from "../../../db/db.server.ts";
import type { Read } from "../../../db/read.server.ts";
import type { RequestInfo } from "../../../http/request-context.ts";
import type { Language } from "../../../i18n/languages.ts";
import type { ErrorCode } from "../../../i18n/message-key.ts";
import type { Act } from "../../access/act.ts";
import type { Actor } from "../../audit/audit.server.ts";
import type { CurrentSession } from "../../auth/sessions/sessions.server.ts";
import type { Mailer } from "../../mail/outbox.server.ts";
import {
  type OrganizationCall,
  type OrganizationKey,
  type Refusal,
  refuse,
} from "../standing.server.ts";

/** What lives as long as the isolate. */
export type ApiServices = {
  db: Db;
  mailer: Pick<Mailer, "prepare" | "prepareForUsers">;
  baseUrl: string;
  /** Deletes the picture of a removed logo. */
  deleteLogo: (file: string) => Promise<unknown>;
  organizationParts: OrganizationParts;
};

/** What features add to the answer of an organization with everything in it, by the answer's member. */
export type OrganizationParts = Readonly<Record<string, (id: SQL<string>) => Read<unknown>>>;

/** A client's request in a session that may open the product. */
export type ApiRequest = {
  current: CurrentSession;
  info: RequestInfo;
  language: Language;
  /** True when the user has proved who they are shortly before. */
  isFresh: boolean;
};

export type ClientCall = ApiServices & ApiRequest;

export type ApiResult = { ok: true; body: unknown } | Refusal;

/** The organization that a client names. Without one, the active organization counts. */
type Named = { organizationId?: string; organizationSlug?: string };

/** A refusal's HTTP status and error code, where an endpoint of the plugin differs from the rule. */
type PluginRefusal = readonly [status: number, code: ErrorCode];

/** An endpoint of the plugin. `input` reads the JSON body, or the query of a GET. */
export type Endpoint<Input = Record<string, unknown>> = {
  method: "GET" | "POST";
  /** What it changes. An endpoint without an act reads. */
  act?: Act;
  /** The act where the input decides. A method, as `run`. */
  actFor?(input: Input): Act;
  input: z.ZodType<Input>;
  /** A method, so that TypeScript allows each row its own input type. */
  run(call: ClientCall, input: Input): Promise<ApiResult>;
  /** The answer to users who are not members; an unknown organization has the same. */
  notMember?: PluginRefusal;
  /** Other refusals that differ from `statusOf`. */
  refusals?: { [code: string]: PluginRefusal };
};

/** Checks that a row's function takes what its schema gives. */
export function endpoint<Input extends Record<string, unknown>>(row: Endpoint<Input>): Endpoint {
  return row;
}

export type OrganizationEndpoints = Readonly<Record<string, Endpoint>>;

export function actorOf({ current, info }: ApiRequest): Actor {
  const { user, session } = current;
  return { actorId: user.id, impersonatorId: session.impersonatedBy, source: info };
}

export function commandOn(call: ClientCall, key: OrganizationKey): OrganizationCall {
  return { db: call.db, actor: actorOf(call), key, as: "member" };
}

/** Returns the organization that a client names, or else the active one; undefined without any. */
export function chosenKey(
  { current }: ApiRequest,
  { organizationId, organizationSlug }: Named,
): OrganizationKey | undefined {
  if (organizationSlug) return { slug: organizationSlug };
  const id = organizationId || current.session.activeOrganizationId;
  return id ? { id } : undefined;
}

/** Makes an endpoint that works in the named or the active organization. Without any it answers `none`. */
export function within<Input>(
  run: (call: ClientCall, target: OrganizationCall, input: Input) => Promise<ApiResult>,
  none: ApiResult = refuse("NO_ACTIVE_ORGANIZATION"),
) {
  return async (call: ClientCall, input: Input & Named): Promise<ApiResult> => {
    const key = chosenKey(call, input);
    return key ? run(call, commandOn(call, key), input) : none;
  };
}

export function answer(body: unknown): ApiResult {
  return { ok: true, body };
}

/** Codes that the plugin answers with 403. All others are 400. */
const FORBIDDEN: readonly ErrorCode[] = [
  "YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS",
  "ORGANIZATION_MEMBERSHIP_LIMIT_REACHED",
  "INVITATION_LIMIT_REACHED",
  // No waiting helps: the invitation is cancelled and made anew.
  "INVITATION_SENT_TOO_OFTEN",
  "YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION",
  "EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION",
  "EMAIL_VERIFICATION_REQUIRED_FOR_INVITATION",
  "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION",
];

/** Codes of ours that the plugin does not have. */
const OWN: Partial<Record<ErrorCode, number>> = {
  ORGANIZATION_DISABLED: 403,
  ORGANIZATION_BEING_DELETED: 403,
  CONFLICT: 409,
  SESSION_EXPIRED: 403,
  TOO_MANY_REQUESTS: 429,
};

/** Returns the HTTP status with which the plugin answers an error code. */
export function statusOf(code: ErrorCode): number {
  if (FORBIDDEN.includes(code) || code.startsWith("YOU_ARE_NOT_ALLOWED_TO_")) return 403;
  return OWN[code] ?? 400;
}
