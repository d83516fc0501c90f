import type { SQL, SQLWrapper } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "../../db/db.server.ts";
import type { Problem } from "../../http/problem.server.ts";
import type { Actor } from "../audit/audit.server.ts";
import type { ApiEndpoint, ApiError } from "./api-endpoint.ts";
import type { OrganizationRole } from "./role-names.ts";

/** Who calls for a user: a key, or an app that the user has allowed. */
export type KeyHolder = {
  by: { type: "key" | "app"; id: string };
  /** What the key or app was given, by resource. */
  permissions: Record<string, string[]>;
  /** The owner, with the role in which it calls now. */
  user: { id: string; role: string };
  /** What else it may read of the owner. */
  knows: { name: boolean; email: boolean };
  /** The only organization that the key works in, with the owner's role there; null for a user's key. */
  organization: { id: string; role: OrganizationRole } | null;
};

/** Answer of a call: its JSON body or lines, and its headers; or a refusal. The status is the endpoint's. */
export type ApiAnswer =
  | { ok: true; body?: object; lines?: object[]; headers?: Record<string, string> }
  | ({ ok: false } & Problem);

/** A call that may be sent again with the same `Idempotency-Key`. */
export type RepeatableCall = {
  request: Request;
  holder: KeyHolder;
  body: unknown;
  now: Date;
};

export type LookupOptions = {
  db: Db;
  adminEmails: readonly string[];
  now: Date;
  /** SQL scalar: the version of the terms that users must accept. */
  termsVersion: SQL;
};

/**
 * Does the work of a call once. `keep` returns the statement that keeps the body of its answer if the work is done, for
 * the batch that does it; `answerOf` makes the answer of a kept body.
 */
export type Once = <Body extends object>(
  answerOf: (body: Body) => ApiAnswer,
  work: (
    keep: (body: Body, when: SQLWrapper) => BatchItem<"sqlite"> | undefined,
  ) => Promise<ApiAnswer>,
) => Promise<ApiAnswer>;

/** A call with a known key, and how it was answered. */
export type AnsweredCall = {
  keyId: string;
  status: number;
  method: string;
  /** Without the query, which can hold what people searched for. */
  path: string;
  requestId: string;
  at: Date;
};

/**
 * How the apps are known that users have allowed to call for them. Without a feature that does it,
 * only keys open the API.
 */
export type AppCallers = Pick<Programs, "refusalOf"> & {
  /** Where tools find out how an app gets a token. */
  discovery: `/${string}`;
  /** Its own refusals. */
  errors: readonly ApiError[];
  /** True when a request sends what only an app has. */
  isKnown: (request: Request) => boolean;
  /** Returns the user of a request's token. */
  findHolder: (
    request: Request,
    options: LookupOptions,
  ) => Promise<{ ok: true; holder: KeyHolder } | ({ ok: false } & Problem)>;
  /**
   * Returns why an act that asks for a fresh proof does not happen yet: a person must approve each of
   * them. Undefined for a call that was approved, which counts once.
   */
  approve: (call: ProvedCall) => Promise<Problem | undefined>;
};

/** A call of an app whose act asks for a fresh proof of identity. */
export type ProvedCall = {
  db: Db;
  baseUrl: string;
  request: Request;
  actor: Actor;
  holder: KeyHolder;
  endpoint: ApiEndpoint;
  params: Record<string, string | undefined>;
  body: unknown;
};

/** How programs are known and answered. Without a feature that does it, the API has no calls. */
export type Programs = {
  /** Returns the owner of a request's key. A refusal of a known key names it. */
  findHolder: (
    request: Request,
    options: LookupOptions,
  ) => Promise<
    { ok: true; holder: KeyHolder } | ({ ok: false; keyId?: string | undefined } & Problem)
  >;
  /** Writes down an answered call, once its answer was sent. */
  record: (db: Db, call: AnsweredCall) => Promise<void>;
  /** Returns why a key may not make a call; undefined when it may. */
  refusalOf: (holder: KeyHolder, call: ApiEndpoint) => Problem | undefined;
  /** Returns what does the work of a call once for each `Idempotency-Key`. */
  once: (db: Db, call: RepeatableCall) => Once;
};
