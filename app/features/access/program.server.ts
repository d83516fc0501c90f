import type { SQL, SQLWrapper } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "../../db/db.server.ts";
import type { Problem } from "../../http/problem.server.ts";
import type { ApiEndpoint } from "./api-endpoint.ts";
import type { OrganizationRole } from "./role-names.ts";

/** The owner of a program's key, with what the owner may do now. */
export type KeyHolder = {
  keyId: string;
  permissions: Record<string, string[]>;
  user: { id: string; role: string };
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
