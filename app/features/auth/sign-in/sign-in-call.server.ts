import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { type Db, isAnyRuleViolation } from "../../../db/db.server.ts";
import { batchGuard, type user, verification } from "../../../db/schema/schema.ts";

type Statement = BatchItem<"sqlite">;

/** A statement of a batch, and what to do with its result. */
type Part = {
  statement: Statement;
  receive?: (result: unknown) => void;
  /** Set when the rest of the batch is written even without this statement; receives the error then. */
  giveUp?: (error: unknown) => void;
};

/** A query of better-auth: rows of a model by the values of their fields. */
type Question = {
  model: string;
  where: Record<string, unknown>;
  /** The other model whose rows are joined. */
  join?: string | undefined;
};

type Row = { id: string };
type Person = typeof user.$inferSelect;
type Proof = typeof verification.$inferSelect;

/**
 * One call of better-auth that signs in or sends a sign-in code: by code, passkey or provider. A round trip to the
 * database takes up to 290 ms, and better-auth makes eight to twelve of them one after the other. So what it reads is
 * read ahead in one batch, and what it writes is kept back for a last batch. `sign-in-call-adapter.server.ts` connects
 * both to better-auth.
 */
export type SignInCall = {
  db: Db;
  /** Each makes a statement of the first batch, given the condition that the limit by IP address allows the call. */
  reads: ((isAllowed: SQL) => Part)[];
  isBegun: boolean;
  /** Rows read ahead, by the query that better-auth will make. */
  answers: Map<string, Row[]>;
  /** Users of this call by id: read ahead, or created by it. */
  people: Map<
    string,
    Pick<Person, "email" | "emailVerified" | "deletionDueAt" | "lastOrganizationId">
  >;
  /** The row of the one-time code, the passkey's challenge or the provider's state, until the call uses it up. */
  proof: Proof | undefined;
  /** The proof that the call uses up. */
  spent: Proof | undefined;
  /** New value of a used code's row after a wrong try; undefined without a wrong try. */
  valueAfterWrongTry: string | undefined;
  /** True when the following writes are valid only for the one call that uses up the proof. */
  isDecisive: boolean;
  /** The session that a passkey proves; the call then signs no one in. */
  confirms: { sessionId: string; userId: string } | undefined;
  /** True for a call with a passkey. */
  isByPasskey: boolean;
  /** Credential id of that passkey. */
  credentialId?: string;
  /** Statements of the last batch. */
  writes: Part[];
  /** True after an unforeseen query: from then on better-auth uses the database directly. */
  isDirect: boolean;
};

/** Creates a call; nothing is sent yet. */
export function newSignInCall(db: Db): SignInCall {
  return {
    db,
    reads: [],
    isBegun: false,
    answers: new Map(),
    people: new Map(),
    proof: undefined,
    spent: undefined,
    valueAfterWrongTry: undefined,
    isDecisive: false,
    confirms: undefined,
    isByPasskey: false,
    writes: [],
    isDirect: false,
  };
}

/** Adds a statement to the first batch. */
export function readAhead<Result>(
  call: SignInCall,
  prepare: (isAllowed: SQL) => Statement & PromiseLike<Result>,
  receive: (result: Result) => void,
): void {
  call.reads.push((isAllowed) => ({
    statement: prepare(isAllowed),
    // The database answers each statement of a batch as it would alone.
    receive: (result) => receive(result as Result),
  }));
}

/**
 * Adds the query for the newest proof of an identifier to the first batch. better-auth gets its value as `renew` returns
 * it.
 */
export function readProof(
  call: SignInCall,
  identifier: string,
  renew = (value: string) => value,
): void {
  const proofs = call.db
    .select()
    .from(verification)
    .where(eq(verification.identifier, identifier))
    .orderBy(desc(verification.createdAt))
    .limit(1);
  readAhead(
    call,
    () => proofs,
    (rows) => {
      const known = rows.map((row) => ({ ...row, value: renew(row.value) }));
      call.proof = known[0];
      know(call, { model: "verification", where: { identifier } }, known);
    },
  );
}

/** Stores the rows for a query of better-auth, and for the query of the same rows by id. */
export function know(call: SignInCall, question: Question, rows: Row[]): void {
  call.answers.set(keyOf(question), rows);
  if (question.join) return;
  for (const row of rows) {
    call.answers.set(keyOf({ model: question.model, where: { id: row.id } }), [row]);
  }
}

/** Stores the user for better-auth's query, without our own columns. Returns the rows. */
export function knowUser(
  call: SignInCall,
  where: { id: string } | { email: string },
  found: Person | undefined,
): Row[] {
  const rows = [];
  if (found) {
    const {
      avatar: _avatar,
      deletionDueAt: _deletionDueAt,
      erasureTriedAt: _erasureTriedAt,
      lastOrganizationId: _lastOrganizationId,
      termsVersion: _termsVersion,
      termsAcceptedAt: _termsAcceptedAt,
      ...known
    } = found;
    call.people.set(found.id, found);
    rows.push(known);
  }
  know(call, { model: "user", where }, rows);
  return rows;
}

/** Returns the stored rows for a query; undefined without any. */
export function findAnswer(call: SignInCall, question: Question): Row[] | undefined {
  return call.answers.get(keyOf(question));
}

function keyOf({ model, where, join }: Question): string {
  return JSON.stringify([model, Object.entries(where).sort(), join]);
}

/** Adds a statement to the last batch. With `giveUp` the batch is tried again without it when it fails. */
export function keepBack<Result>(
  call: SignInCall,
  statement: Statement & PromiseLike<Result>,
  receive?: (result: Result) => void,
  giveUp?: (error: unknown) => void,
): void {
  call.writes.push({
    statement,
    receive: receive && ((result) => receive(result as Result)),
    giveUp,
  });
}

/** Adds a statement to the last batch that cancels the whole batch when it changes no row. */
export function keepBackDecisive(call: SignInCall, statement: Statement): void {
  call.writes.push({ statement }, guardOf(call.db));
}

/** Cancels a batch when the previous statement changed no row: the table refuses the new row. */
function guardOf(db: Db): Part {
  return { statement: db.insert(batchGuard).select(sql`SELECT 'PROOF_SPENT' WHERE changes() = 0`) };
}

/** A statement that counts the call towards a limit, and an SQL condition that the limit then allows it. */
type Limit<Result> = { statement: Statement & PromiseLike<Result>; isAllowed: SQL };

/** Sends the first batch, once. A limit's statement comes first; its result is returned. */
export async function beginSignInCall<Result>(
  call: SignInCall,
  limit?: Limit<Result>,
): Promise<Result | undefined> {
  if (call.isBegun) return undefined;
  call.isBegun = true;
  const reads = call.reads.map((read) => read(limit?.isAllowed ?? sql`true`));
  if (!limit) {
    await send(call.db, reads);
    return undefined;
  }
  let counted: Result | undefined;
  const receive = (result: unknown) => {
    counted = result as Result;
  };
  await send(call.db, [{ statement: limit.statement, receive }, ...reads]);
  return counted;
}

/**
 * Sends the last batch. Throws a violation of the rule PROOF_SPENT, and writes nothing, when another call used up the
 * proof meanwhile or a row that the sign-in depends on has changed.
 */
export async function endSignInCall(call: SignInCall): Promise<void> {
  const parts = [...spendingOf(call), ...call.writes];
  call.spent = undefined;
  call.writes = [];
  try {
    await send(call.db, parts);
  } catch (error) {
    const needed = parts.filter(({ giveUp }) => !giveUp);
    if (needed.length === parts.length || isAnyRuleViolation(error)) throw error;
    await send(call.db, needed);
    for (const { giveUp } of parts) giveUp?.(error);
  }
}

/** Statements that use up the proof. */
function spendingOf({ db, spent, valueAfterWrongTry, isDecisive }: SignInCall): Part[] {
  if (!spent) return [];
  const isSpent = eq(verification.id, spent.id);
  if (valueAfterWrongTry !== undefined) {
    const isUnchanged = and(isSpent, eq(verification.value, spent.value));
    const counted = db.update(verification).set({ value: valueAfterWrongTry }).where(isUnchanged);
    return [{ statement: counted }];
  }
  const deletion = { statement: db.delete(verification).where(isSpent) };
  return isDecisive ? [deletion, guardOf(db)] : [deletion];
}

/** Writes what was kept back, and sends the rest of the call directly to the database. */
export async function leaveToDatabase(call: SignInCall): Promise<void> {
  if (call.isDirect) return;
  call.isDirect = true;
  // Direct writes cannot be undone.
  call.isDecisive = true;
  await endSignInCall(call);
}

async function send(db: Db, [first, ...rest]: Part[]): Promise<void> {
  if (!first) return;
  const results: unknown[] = await db.batch([
    first.statement,
    ...rest.map(({ statement }) => statement),
  ]);
  for (const [index, { receive }] of [first, ...rest].entries()) receive?.(results[index]);
}
