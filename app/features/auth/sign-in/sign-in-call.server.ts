import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { type Db, isAnyRuleViolation } from "../../../db/db.server.ts";
import { batchGuard, type user, verification } from "../../../db/schema/schema.ts";

type Statement = BatchItem<"sqlite">;

/** A statement of a batch, and what to do with its result. */
type Part = {
  statement: Statement;
  receive?: (result: unknown) => void;
  /** Set when the rest of the batch is worth writing without it: hears of the failure then. */
  giveUp?: (error: unknown) => void;
};

/** A question of better-auth to the database: rows of a model by the values of their fields. */
type Question = {
  model: string;
  where: Record<string, unknown>;
  /** The other model whose rows come along. */
  join?: string | undefined;
};

type Row = { id: string };
type Person = typeof user.$inferSelect;
type Proof = typeof verification.$inferSelect;

/**
 * One call of better-auth that signs in, or asks for the code that does: by code, passkey or provider. A round trip to
 * the database takes up to 290 ms, and better-auth makes eight to twelve of them one after the other. Here what it reads
 * is read ahead in one batch, and what it writes is kept back until it has decided, for a last batch.
 * `sign-in-call-adapter.server.ts` gives it both.
 */
export type SignInCall = {
  db: Db;
  /** Whether a captcha is asked before the limits of the mailbox are. */
  hasCaptcha: boolean;
  /** Each makes a statement of the first batch, given whether the limit by IP address allows the call. */
  reads: ((isAllowed: SQL) => Part)[];
  isBegun: boolean;
  /** What was read ahead, by the question that better-auth will ask. */
  answers: Map<string, Row[]>;
  /** The users of this call by id: read ahead, or made by it. */
  people: Map<string, Pick<Person, "email" | "emailVerified" | "deletionDueAt">>;
  /** The row of the one-time code, the passkey's challenge or the provider's state, until the call uses it up. */
  proof: Proof | undefined;
  /** The proof that the call uses up. */
  spent: Proof | undefined;
  /** What the row of a spent code says after a wrong try; undefined when the try was not wrong. */
  valueAfterWrongTry: string | undefined;
  /** Whether what follows is right only for the one call that uses up the proof. */
  isDecisive: boolean;
  /** The statements of the last batch. */
  writes: Part[];
  /** Whether better-auth did what was not foreseen: from then on it speaks to the database itself. */
  isDirect: boolean;
};

/** Makes a call; nothing is sent yet. */
export function newSignInCall(db: Db, hasCaptcha = false): SignInCall {
  return {
    db,
    hasCaptcha,
    reads: [],
    isBegun: false,
    answers: new Map(),
    people: new Map(),
    proof: undefined,
    spent: undefined,
    valueAfterWrongTry: undefined,
    isDecisive: false,
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
    // The database answers each statement of a batch with what the statement alone would answer.
    receive: (result) => receive(result as Result),
  }));
}

/** Adds the newest proof under an identifier to the first batch. */
export function readProof(call: SignInCall, identifier: string): void {
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
      call.proof = rows[0];
      know(call, { model: "verification", where: { identifier } }, rows);
    },
  );
}

/** Answers a question of better-auth, and the same rows asked for by id. */
export function know(call: SignInCall, question: Question, rows: Row[]): void {
  call.answers.set(keyOf(question), rows);
  if (question.join) return;
  for (const row of rows) {
    call.answers.set(keyOf({ model: question.model, where: { id: row.id } }), [row]);
  }
}

/** Answers better-auth's question for a user with what it knows of one: our own columns stay out. Returns the rows. */
export function knowUser(
  call: SignInCall,
  where: { id: string } | { email: string },
  found: Person | undefined,
): Row[] {
  const rows = [];
  if (found) {
    const { avatar: _avatar, deletionDueAt: _deletionDueAt, ...known } = found;
    call.people.set(found.id, found);
    rows.push(known);
  }
  know(call, { model: "user", where }, rows);
  return rows;
}

/** The answer that is known to a question; undefined when none is. */
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

/** Adds a statement to the last batch that takes the whole batch back when it changes no row. */
export function keepBackDecisive(call: SignInCall, statement: Statement): void {
  call.writes.push({ statement }, guardOf(call.db));
}

/** Ends a batch, and takes it back, when the statement before has changed no row: the table refuses the new row. */
function guardOf(db: Db): Part {
  return { statement: db.insert(batchGuard).select(sql`SELECT 'PROOF_SPENT' WHERE changes() = 0`) };
}

/** A statement that counts the call towards a limit, and an expression for whether the limit allows it afterwards. */
type Limit<Result> = { statement: Statement & PromiseLike<Result>; isAllowed: SQL };

/** Sends the first batch, once. A limit comes first in it; returns what its statement answers. */
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
 * Sends the last batch. Throws a violation of the rule PROOF_SPENT, and writes nothing, when another call has used up the
 * proof meanwhile, or when a row that the sign-in rests on has changed.
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

/** The statements that use up the proof. */
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

/** Writes what was kept back, and lets the rest of the call go straight through. */
export async function leaveToDatabase(call: SignInCall): Promise<void> {
  if (call.isDirect) return;
  call.isDirect = true;
  // What goes straight through cannot be taken back.
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
