import type { DBAdapter, Where } from "better-auth";
import { and, eq, lte, ne, sql } from "drizzle-orm";
import { recordedChange } from "../../../db/change.server.ts";
import { account, passkey, session, user, verification } from "../../../db/schema/schema.ts";
import { ownEvent } from "../../audit/audit.server.ts";
import { currentScope, gatewayScope } from "./scope.server.ts";
import {
  beginSignInCall,
  findAnswer,
  keepBack,
  keepBackDecisive,
  know,
  leaveToDatabase,
  type SignInCall,
} from "./sign-in-call.server.ts";

type Fields = Record<string, unknown>;

/**
 * Returns better-auth's adapter with batches for calls that sign in: it answers queries from the rows read ahead and
 * keeps the writes back. After any unforeseen query the call uses the database directly.
 */
export function withSignInCalls(adapter: DBAdapter): DBAdapter {
  /** Runs unforeseen queries. */
  async function pass<Result>(work: () => Promise<Result>): Promise<Result> {
    const call = gatewayScope.getStore()?.signInCall;
    if (call) await leaveToDatabase(call);
    return work();
  }

  // The columns of a table equal the fields of its model, so rows are passed on unchanged.
  const batched: DBAdapter = {
    ...adapter,
    async findOne(query) {
      const rows = await findRows(query);
      return rows ? ((rows[0] ?? null) as never) : pass(() => adapter.findOne(query));
    },
    async findMany(query) {
      const rows = await findRows(query);
      return rows ? (rows as never) : pass(() => adapter.findMany(query));
    },
    async create(query) {
      const call = await openCall();
      const row = { id: crypto.randomUUID(), ...query.data };
      const isKept = call && keepRow(call, query.model, row);
      return isKept ? (row as never) : pass(() => adapter.create(query));
    },
    async update(query) {
      const call = await openCall();
      const [row] = (await findRows(query)) ?? [];
      const isKept = call && row && keepUpdate(call, query.model, row.id, query.update);
      return isKept ? ({ ...row, ...query.update } as never) : pass(() => adapter.update(query));
    },
    async consumeOne(query) {
      const proof = await spendProof(query, "id");
      return proof ? (proof as never) : pass(() => adapter.consumeOne(query));
    },
    async delete(query) {
      if (!(await spendProof(query, "identifier"))) return pass(() => adapter.delete(query));
    },
    async deleteMany(query) {
      const call = await openCall();
      const { proof } = call ?? {};
      // Codes that a newer one has replaced.
      const isOlder = query.model === "verification" && query.where.length === 3;
      if (!call || !proof || !isOlder) return pass(() => adapter.deleteMany(query));
      const { identifier, createdAt, id } = proof;
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
    updateMany: (query) => pass(() => adapter.updateMany(query)),
    count: (query) => pass(() => adapter.count(query)),
    incrementOne: (query) => pass(() => adapter.incrementOne(query)),
    // D1 has no transactions, so a transaction is this adapter itself.
    transaction: (work) => work(batched),
  };
  return batched;
}

/** Returns the current call that signs in, begun, as long as nothing unforeseen has happened in it. */
async function openCall(): Promise<SignInCall | undefined> {
  const call = gatewayScope.getStore()?.signInCall;
  if (!call || call.isDirect) return undefined;
  await beginSignInCall(call);
  return call;
}

type Query = { model: string; where?: Where[]; join?: object };

/** Returns the rows that a query asks for, when they were read ahead. */
async function findRows({ model, where = [], join = {} }: Query) {
  const call = await openCall();
  const fields = fieldsOf(where);
  const [joined, ...others] = Object.keys(join);
  if (!call || !fields || others.length > 0) return undefined;
  return findAnswer(call, { model, where: fields, join: joined });
}

/** Returns the values that a query compares its fields with; undefined when it compares them in another way. */
function fieldsOf(where: Where[]): Fields | undefined {
  const isPlain = where.every(
    ({ operator = "eq", connector = "AND" }) => operator === "eq" && connector === "AND",
  );
  return isPlain ? Object.fromEntries(where.map(({ field, value }) => [field, value])) : undefined;
}

/**
 * Uses up the proof of the current call when a query names it by a field, so that better-auth does not find it again.
 * Returns the proof; undefined when the query is about something else.
 */
async function spendProof({ model, where = [] }: Query, field: "id" | "identifier") {
  const call = await openCall();
  const { proof } = call ?? {};
  if (!call || !proof || model !== "verification") return undefined;
  if (fieldsOf(where)?.[field] !== proof[field]) return undefined;
  call.spent = proof;
  call.proof = undefined;
  know(call, { model, where: { identifier: proof.identifier } }, []);
  return proof;
}

/** Keeps back a row that better-auth makes. Returns false for rows of other models. */
function keepRow(call: SignInCall, model: string, row: { id: string } & Fields): boolean {
  const { db } = call;
  if (model === "verification") {
    // A wrong try writes the code back with one try less.
    if (call.spent) call.valueAfterWrongTry = String(row.value);
    else keepBack(call, db.insert(verification).values(row as typeof verification.$inferInsert));
    return true;
  }
  if (model === "session") {
    if (call.confirms) keepConfirmation(call, call.confirms);
    else keepBack(call, db.insert(session).values(sessionRow(call, row)));
  } else if (model === "account") {
    keepBack(call, db.insert(account).values(row as typeof account.$inferInsert));
  } else if (model === "user") {
    const values = row as typeof user.$inferInsert;
    keepBack(call, db.insert(user).values(values));
    const { email, emailVerified = false } = values;
    const other = { deletionDueAt: null, lastOrganizationId: null };
    call.people.set(row.id, { email, emailVerified, ...other });
    know(call, { model, where: { email } }, [row]);
  } else {
    return false;
  }
  call.isDecisive = true;
  return true;
}

/** Returns the row of a new session; a sign-in with a passkey proves it. */
function sessionRow(call: SignInCall, row: Fields) {
  return { ...(row as typeof session.$inferInsert), ...passkeyProof(call) };
}

function passkeyProof({ isByPasskey, credentialId }: SignInCall) {
  if (!isByPasskey) return { passkeyProvedAt: null, passkeyProvedBy: null };
  return {
    passkeyProvedAt: currentScope().request.now(),
    passkeyProvedBy: sql`(SELECT ${passkey.id} FROM ${passkey} WHERE ${passkey.credentialID} = ${credentialId})`,
  };
}

/** Keeps back the proof of the current session by a passkey, in place of a new session. */
function keepConfirmation(
  call: SignInCall,
  { sessionId, userId }: NonNullable<SignInCall["confirms"]>,
): void {
  const { request } = currentScope();
  const now = request.now();
  const isTheirs = and(eq(session.id, sessionId), eq(session.userId, userId));
  const [confirmed, audit] = recordedChange(
    call.db,
    call.db
      .update(session)
      .set({ authenticatedAt: now, ...passkeyProof(call) })
      .where(isTheirs),
    ownEvent(request, userId, "session.confirmed"),
  );
  keepBack(call, confirmed);
  // Writes nothing when the session has ended meanwhile, which cancels the batch.
  keepBackDecisive(call, audit);
}

/**
 * Keeps back a change of a row that was read ahead; without the row the sign-in fails. Returns false for rows of other
 * models.
 */
function keepUpdate(call: SignInCall, model: string, id: string, update: Fields): boolean {
  const { db } = call;
  if (model === "account") {
    const set = { ...update, updatedAt: currentScope().request.now() };
    keepBackDecisive(call, db.update(account).set(set).where(eq(account.id, id)));
    return true;
  }
  if (model === "passkey") {
    keepBackDecisive(call, db.update(passkey).set(update).where(eq(passkey.id, id)));
    return true;
  }
  return false;
}
