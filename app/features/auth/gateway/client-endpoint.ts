import type { z } from "zod";
import type { RequestInfo } from "../../../http/request-context.ts";
import type { Language } from "../../../i18n/languages.ts";
import type { ErrorCode } from "../../../i18n/message-key.ts";
import type { CheckedMessage } from "../../../ui/text/message.tsx";
import type { Act } from "../../access/act.ts";
import type { OwnChange } from "../../access/passkey-demand.ts";
import type { Permission } from "../../access/permissions.ts";
import type { AuditSource } from "../../audit/audit.server.ts";
import type { CurrentSession } from "../sessions/sessions.server.ts";
import type { GatewayCall, GatewayResult } from "./gateway-call.ts";

/** A client's request that the gateway has let in. */
export type ClientRequest = {
  request: Request;
  current: CurrentSession;
  info: RequestInfo;
  language: Language;
  /** True when the session has a fresh proof of identity. */
  isFresh: boolean;
};

export type ClientRefusal = {
  ok: false;
  status: number;
  code: ErrorCode;
  /** A screen's text for this refusal, where the code's own text would be wrong. */
  message?: CheckedMessage;
  /** Name of the field that was not accepted. */
  field?: string;
  retryAfterSeconds?: number | undefined;
};

/** `headers` are cookies to set. */
export type ClientResult = { ok: true; body: unknown; headers?: Headers } | ClientRefusal;

/** An endpoint of better-auth's client that a feature answers, by the commands of its screens. */
export type ClientEndpoint<Input = Record<string, unknown>> = {
  method: "GET" | "POST";
  /**
   * True for a change that the user's limit does not count: a thief of the session must not keep
   * its owner from ending it.
   */
  isUncounted?: boolean;
  /** Reads the JSON body, or the query of a GET. */
  input: z.ZodType<Input>;
  /** Error codes of better-auth for single fields that `input` refuses. */
  codes?: { [field: string]: ErrorCode };
  /**
   * What it changes; it is then closed to a manager who impersonates the user. An endpoint without
   * an act reads.
   */
  act?: Act;
  /**
   * The act where the input decides, beside the `act` that guards the entry. A method, so that
   * TypeScript allows each row its own input.
   */
  actFor?(input: Input): Act;
  /** The permission that reading needs. A change has its permission in its act. */
  needs?: Permission;
  /** What it changes about the user's own account, where a passkey may be asked for. */
  change?: OwnChange;
  /** True when users may call it who have not given their name yet. */
  isOpenToNewcomers?: boolean;
  /** Error code, with 503, when the database fails; without it, 500 UNKNOWN_ERROR. */
  failure?: ErrorCode;
  answer(request: ClientRequest, input: Input): Promise<ClientResult>;
};

/** Gives a new user their name. False when the user was changed meanwhile. */
export type Onboard = (
  source: AuditSource,
  own: {
    userId: string;
    email: string;
    name: string;
    language: string | undefined;
    termsVersion: undefined;
  },
) => Promise<boolean>;

export type ClientEndpoints = Record<string, ClientEndpoint | undefined>;

/** The calls of the client that a feature answers, by path, and how it answers one. */
export type ClientCalls = {
  endpoints: ClientEndpoints;
  answer: (
    endpoint: ClientEndpoint,
    call: GatewayCall,
    path: string,
  ) => Promise<GatewayResult<unknown>>;
};
