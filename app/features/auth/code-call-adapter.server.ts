import type { DBAdapter, Where } from "better-auth";
import { and, eq, lte, ne } from "drizzle-orm";
import { session, user, verification } from "../../db/schema/schema.ts";
import { type CodeCall, type KnownUser, keepBack, leaveToDatabase } from "./code-call.server.ts";
import { doorScope } from "./scope.server.ts";

/**
 * Returns better-auth's adapter with the calls about codes in two batches: it answers them from what was read ahead and
 * keeps their writes back. What else better-auth asks during such a call is not foreseen: the call is then left to the
 * database.
 */
export function withCodeCalls(adapter: DBAdapter): DBAdapter {
  /** Does what was not foreseen. */
  async function pass<Result>(work: () => Promise<Result>): Promise<Result> {
    const call = doorScope.getStore()?.codeCall;
    if (call) await leaveToDatabase(call);
    return work();
  }

  const batched: DBAdapter = {
    ...adapter,
    async findOne(query) {
      const call = openCall();
      const known = call && findUser(call, query.model, query.where);
      // The columns of the table are the fields of the model.
      return known ? (known.row as never) : pass(() => adapter.findOne(query));
    },
    async findMany(query) {
      const call = openCall();
      const isCode =
        call && query.model === "verification" && comparedWith(query.where, "identifier");
      if (isCode) return (call.code ? [call.code] : []) as never;
      return pass(() => adapter.findMany(query));
    },
    async create(query) {
      const call = openCall();
      const row = { id: crypto.randomUUID(), ...query.data };
      const isKept = call && keepRow(call, query.model, row);
      return isKept ? (row as never) : pass(() => adapter.create(query));
    },
    async consumeOne(query) {
      const call = openCall();
      const { code } = call ?? {};
      if (
        !call ||
        !code ||
        query.model !== "verification" ||
        comparedWith(query.where, "id") !== code.id
      ) {
        return pass(() => adapter.consumeOne(query));
      }
      call.claimed = code;
      call.code = undefined;
      return code as never;
    },
    async deleteMany(query) {
      const call = openCall();
      const { code } = call ?? {};
      // Codes that a newer one has replaced.
      const isOlder = query.model === "verification" && query.where.length === 3;
      if (!call || !code || !isOlder) return pass(() => adapter.deleteMany(query));
      const { identifier, createdAt, id } = code;
      keepBack(
        call,
        call.db
          .delete(verification)
          .where(
            and(
              eq(verification.identifier, identifier),
              lte(verification.createdAt, createdAt),
              ne(verification.id, id),
            ),
          ),
      );
      return 0;
    },
    update: (query) => pass(() => adapter.update(query)),
    updateMany: (query) => pass(() => adapter.updateMany(query)),
    delete: (query) => pass(() => adapter.delete(query)),
    count: (query) => pass(() => adapter.count(query)),
    incrementOne: (query) => pass(() => adapter.incrementOne(query)),
    // D1 has no transactions, so a transaction is this adapter itself.
    transaction: (work) => work(batched),
  };
  return batched;
}

/** The current call about a code, as long as nothing unforeseen has happened in it. */
function openCall(): CodeCall | undefined {
  const call = doorScope.getStore()?.codeCall;
  return call?.isBegun && !call.isDirect ? call : undefined;
}

/** The user that a query asks for, when it is the one read ahead; `row` is null when there is no such user. */
function findUser(call: CodeCall, model: string, where: Where[]) {
  if (model !== "user") return undefined;
  if (comparedWith(where, "email") === call.email) return { row: call.user ?? null };
  return call.user && comparedWith(where, "id") === call.user.id ? { row: call.user } : undefined;
}

/** Keeps back a row that better-auth makes. Returns false for rows of other models. */
function keepRow(call: CodeCall, model: string, row: Record<string, unknown>): boolean {
  const { db } = call;
  if (model === "session") {
    call.isDecisive = true;
    keepBack(call, db.insert(session).values(row as typeof session.$inferInsert));
    return true;
  }
  if (model === "user") {
    keepBack(call, db.insert(user).values(row as typeof user.$inferInsert));
    call.user = row as KnownUser;
    return true;
  }
  if (model === "verification") {
    // A wrong try puts the code back with one try less.
    if (call.claimed) call.valueAfterWrongTry = String(row.value);
    else keepBack(call, db.insert(verification).values(row as typeof verification.$inferInsert));
    return true;
  }
  return false;
}

/** The value that a query compares one field with, when it compares no other. */
function comparedWith(where: Where[] | undefined, field: string): unknown {
  const [first, ...rest] = where ?? [];
  const isEqual = first && rest.length === 0 && (first.operator ?? "eq") === "eq";
  return isEqual && first.field === field ? first.value : undefined;
}
