import type { SQL, SQLWrapper } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "../db/db.server.ts";
import type { ApiAnswer } from "../features/access/program.server.ts";
import { fieldErrorOf, type OwnedErrors, statusOf } from "../features/owned/owned-errors.ts";
import type { OwnedCall, OwnedResult } from "../features/owned/owned-rows.server.ts";
import type { Problem } from "../http/problem.server.ts";
import type { ErrorCode } from "../i18n/message-key.ts";
import type { Reader } from "../lists/query/list.server.ts";
import { decodeCursor, encodeCursor } from "../lists/query/list-params.ts";
import type { After, ListTotal } from "../lists/query/list-query.server.ts";
import { type ApiCall, invalidFields, versionHeaders } from "./api-call.server.ts";

/** A row of a subject, as `ownedRows` writes it. */
type Row = { id: string; version: number };

/** A body, with the version that was read where there is no `If-Match`. */
type Body<Input> = Input & { version?: number | undefined };

type Query<Sort> = {
  searchTerm: string;
  sort: Sort;
  direction: "asc" | "desc";
  size: string;
  after?: string | undefined;
};

/** What a key reads, and in whose name it writes. */
type Reach<Call extends OwnedCall> = {
  /** Condition of the rows that a key reads; undefined for all. */
  within: (call: ApiCall) => SQL | undefined;
  callOf: (call: ApiCall) => Promise<{ ok: true; call: Call } | ({ ok: false } & Problem)>;
};

type Subject<
  Shown extends Row,
  Stored extends Shown,
  Input,
  Call extends OwnedCall,
  Sort extends string,
  Filters,
> = {
  rows: {
    create: (
      call: Call,
      input: Input,
      alongside: (row: Stored, isWritten: SQLWrapper) => BatchItem<"sqlite"> | undefined,
    ) => Promise<OwnedResult>;
    update: (call: Call, before: Stored, input: Input, version: number) => Promise<OwnedResult>;
    remove: (call: Call, ids: string[], version?: number) => Promise<Set<string>>;
  };
  list: {
    page: (
      db: Db,
      asked: {
        searchTerm: string;
        filters: Filters;
        sort: Sort;
        direction: "asc" | "desc";
        after: After;
        limit: number;
        within: SQL | undefined;
      },
      reader: Reader,
    ) => Promise<{
      rows: Shown[];
      hasMore: boolean;
      total: ListTotal;
      cursor: { value: string | number; id: string } | undefined;
    }>;
  };
  find: (db: Db, id: string, within: SQL | undefined) => Promise<Stored | undefined>;
  /** Makes the body of a row. */
  answer: (row: Shown) => object;
  /** The rows' member in the body of a page. */
  many: string;
  pathOf: (id: string) => string;
  notFound: ErrorCode;
  errors: OwnedErrors;
} & Reach<Call>;

/**
 * The answers of a subject's calls: list, create, read, change and delete. A change asks for the
 * version that was read, by `If-Match` or in its body; a creation is done once for each
 * `Idempotency-Key`.
 */
export function apiRows<
  Shown extends Row,
  Stored extends Shown,
  Input,
  Call extends OwnedCall,
  Sort extends string,
  Filters,
>({
  rows,
  list,
  find,
  answer,
  many,
  pathOf,
  notFound,
  errors,
  within,
  callOf,
}: Subject<Shown, Stored, Input, Call, Sort, Filters>) {
  const missing = { ok: false, status: 404, code: notFound } as const;
  const shown = (row: Shown): ApiAnswer => ({
    ok: true,
    body: answer(row),
    headers: versionHeaders(row.version),
  });
  const created = (body: object & Row): ApiAnswer => ({
    ok: true,
    body,
    headers: { ...versionHeaders(body.version), Location: pathOf(body.id) },
  });

  /** Refuses a change of what somebody else has changed, with what both wrote. */
  function conflict(status: 409 | 412, theirs: Shown, yours?: object): ApiAnswer {
    const more = { ...(yours && { yours }), theirs: answer(theirs) };
    const headers = versionHeaders(theirs.version);
    const code = status === 409 ? "CONFLICT" : "PRECONDITION_FAILED";
    return { ok: false, status, code, more, headers };
  }

  /** Returns why a save was refused; undefined after a conflict. */
  function refusalOf(result: OwnedResult & { ok: false }): ApiAnswer | undefined {
    const error = fieldErrorOf(result, errors);
    if (error) return invalidFields([error]);
    if (result.error === "refused") {
      return { ok: false, status: statusOf(result.code), code: result.code };
    }
    return result.error === "conflict" ? undefined : missing;
  }

  return {
    /** Returns a page. `filters` are what the call's own search params ask for. */
    async list(call: ApiCall, query: Query<Sort>, filters: Filters): Promise<ApiAnswer> {
      const { searchTerm, sort, direction, after: given, size } = query;
      const order = `${sort} ${direction}`;
      const after = given === undefined ? undefined : decodeCursor(given);
      if (given !== undefined && after?.order !== order) {
        const message = after?.order ? "validation:cursor.otherOrder" : "validation:cursor.invalid";
        return invalidFields([{ field: "after", message }]);
      }
      const page = await list.page(
        call.services.db,
        {
          searchTerm,
          filters,
          sort,
          direction,
          after,
          limit: Number(size),
          within: within(call),
        },
        { now: call.now },
      );
      const { hasMore, total, cursor } = page;
      const next = hasMore && cursor ? encodeCursor({ ...cursor, order }) : null;
      return { ok: true, body: { [many]: page.rows.map(answer), total, next } };
    },

    async create(call: ApiCall, input: Input): Promise<ApiAnswer> {
      const change = await callOf(call);
      if (!change.ok) return change;
      return call.once(created, async (keep) => {
        let body: (object & Row) | undefined;
        const saved = await rows.create(change.call, input, (row, isWritten) => {
          const { id, version } = row;
          body = { ...answer(row), id, version };
          return keep(body, isWritten);
        });
        if (!saved.ok) return refusalOf(saved) ?? missing;
        return body ? created(body) : missing;
      });
    },

    async read(call: ApiCall): Promise<ApiAnswer> {
      const row = await find(call.services.db, call.params.id ?? "", within(call));
      return row ? shown(row) : missing;
    },

    async update(call: ApiCall, { version: known, ...rest }: Body<Input>): Promise<ApiAnswer> {
      // A body without its version.
      const yours = rest as Input;
      const { db } = call.services;
      const change = await callOf(call);
      if (!change.ok) return change;
      const before = await find(db, call.params.id ?? "", within(call));
      if (!before) return missing;
      const matched = matchOf(call.request, before);
      if (matched === "none") return conflict(412, before, rest);
      const version = matched ?? known;
      if (version === undefined) {
        return invalidFields([{ field: "version", message: "validation:generic.required" }]);
      }
      const updated = await rows.update(change.call, before, yours, version);
      const refusal = updated.ok ? undefined : refusalOf(updated);
      if (refusal) return refusal;
      const after = await find(db, before.id, within(call));
      if (!after) return missing;
      return updated.ok ? shown(after) : conflict(matched === undefined ? 409 : 412, after, rest);
    },

    async remove(call: ApiCall): Promise<ApiAnswer> {
      const { db } = call.services;
      const change = await callOf(call);
      if (!change.ok) return change;
      const before = await find(db, call.params.id ?? "", within(call));
      if (!before) return missing;
      const version = matchOf(call.request, before);
      if (version === undefined) return { ok: false, status: 428, code: "PRECONDITION_REQUIRED" };
      if (version === "none") return conflict(412, before);
      const deleted = await rows.remove(change.call, [before.id], version);
      if (deleted.has(before.id)) return { ok: true };
      const after = await find(db, before.id, within(call));
      return after ? conflict(412, after) : missing;
    },
  };
}

/**
 * Returns the version that `If-Match` asks for and the row has; undefined without the header, "none" when it has
 * none of them. A weak tag matches nothing (RFC 9110, section 13.1.1).
 */
function matchOf({ headers }: Request, { version }: Row): number | "none" | undefined {
  const header = headers.get("if-match");
  if (header === null) return undefined;
  const tags = header.split(",").map((tag) => tag.trim());
  return tags.includes("*") || tags.includes(`"${version}"`) ? version : "none";
}
