import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { type Db, isAnyRuleViolation } from "../../db/db.server.ts";
import { batchGuard, user, verification } from "../../db/schema/schema.ts";

type Statement = BatchItem<"sqlite">;

/** A statement of a batch, and what to do with its result. */
type Part = {
  statement: Statement;
  receive?: (result: unknown) => void;
  /** Set when the rest of the batch is worth writing without it: hears of the failure then. */
  giveUp?: (error: unknown) => void;
};

// What better-auth does not know of a user stays out of what it hands on.
const { avatar: _avatar, deletionDueAt: _deletionDueAt, ...USER_COLUMNS } = getTableColumns(user);

export type KnownUser = Omit<typeof user.$inferSelect, "avatar" | "deletionDueAt">;
type KnownCode = typeof verification.$inferSelect;

/**
 * One call of better-auth about the one-time code of an e-mail. A round trip to the database takes up to 290 ms, and
 * better-auth makes eight of them one after the other. Here what it reads is read ahead in one batch, and what it writes
 * is kept back until it has decided, for a second batch. `code-call-adapter.server.ts` gives it both.
 */
export type CodeCall = {
  db: Db;
  email: string;
  /** Whether a captcha is asked before the limits of the mailbox are. */
  hasCaptcha: boolean;
  /** Each makes a statement of the first batch, given whether the limit by IP address allows the call. */
  reads: ((isAllowed: SQL) => Part)[];
  isBegun: boolean;
  user: KnownUser | undefined;
  /** Whether that user's account is in the grace period before its deletion. */
  isInGracePeriod: boolean;
  /** The newest code of the e-mail, until the call uses it up. */
  code: KnownCode | undefined;
  /** The code that the call uses up. */
  claimed: KnownCode | undefined;
  /** What the row of a claimed code says after a wrong try; undefined when the try was not wrong. */
  valueAfterWrongTry: string | undefined;
  /** Whether what follows is right only for the one call that uses up the code. */
  isDecisive: boolean;
  /** The statements of the second batch. */
  writes: Part[];
  /** Whether better-auth did what was not foreseen: from then on it speaks to the database itself. */
  isDirect: boolean;
};

type CodeCallOptions = Pick<CodeCall, "db" | "email" | "hasCaptcha"> & {
  /** What a code that is entered is kept under: it is read ahead too. */
  identifier?: string;
};

/** Makes the call of one e-mail; nothing is sent yet. */
export function newCodeCall({ db, email, hasCaptcha, identifier }: CodeCallOptions): CodeCall {
  const call: CodeCall = {
    db,
    email,
    hasCaptcha,
    reads: [],
    isBegun: false,
    user: undefined,
    isInGracePeriod: false,
    code: undefined,
    claimed: undefined,
    valueAfterWrongTry: undefined,
    isDecisive: false,
    writes: [],
    isDirect: false,
  };
  const users = db
    .select({ known: USER_COLUMNS, deletionDueAt: user.deletionDueAt })
    .from(user)
    .where(eq(user.email, email));
  readAhead(
    call,
    () => users,
    ([row]) => {
      call.user = row?.known;
      call.isInGracePeriod = Boolean(row?.deletionDueAt);
    },
  );
  if (identifier) {
    const codes = db
      .select()
      .from(verification)
      .where(eq(verification.identifier, identifier))
      .orderBy(desc(verification.createdAt))
      .limit(1);
    readAhead(
      call,
      () => codes,
      ([row]) => {
        call.code = row;
      },
    );
  }
  return call;
}

/** Adds a statement to the first batch. */
export function readAhead<Result>(
  call: CodeCall,
  prepare: (isAllowed: SQL) => Statement & PromiseLike<Result>,
  receive: (result: Result) => void,
): void {
  call.reads.push((isAllowed) => ({
    statement: prepare(isAllowed),
    // The database answers each statement of a batch with what the statement alone would answer.
    receive: (result) => receive(result as Result),
  }));
}

/** Adds a statement to the second batch. With `giveUp` the batch is tried again without it when it fails. */
export function keepBack<Result>(
  call: CodeCall,
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

/** A statement that counts the call towards a limit, and an expression for whether the limit allows it afterwards. */
type Limit<Result> = { statement: Statement & PromiseLike<Result>; isAllowed: SQL };

/** Sends the first batch, once. A limit comes first in it; returns what its statement answers. */
export async function beginCodeCall<Result>(
  call: CodeCall,
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
 * Sends the second batch. Throws a violation of the rule CODE_SPENT, and writes nothing, when another call has used up
 * the code meanwhile.
 */
export async function endCodeCall(call: CodeCall): Promise<void> {
  const parts = [...claimOf(call), ...call.writes];
  call.claimed = undefined;
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

/** The statements that use up the claimed code. */
function claimOf({ db, claimed, valueAfterWrongTry, isDecisive }: CodeCall): Part[] {
  if (!claimed) return [];
  const isClaimed = eq(verification.id, claimed.id);
  if (valueAfterWrongTry !== undefined) {
    const isUnchanged = and(isClaimed, eq(verification.value, claimed.value));
    const counted = db.update(verification).set({ value: valueAfterWrongTry }).where(isUnchanged);
    return [{ statement: counted }];
  }
  const spent = db.delete(verification).where(isClaimed);
  // Ends the whole batch when the delete found nothing: the table refuses the row.
  const guard = db.insert(batchGuard).select(sql`SELECT 'CODE_SPENT' WHERE changes() = 0`);
  return isDecisive ? [{ statement: spent }, { statement: guard }] : [{ statement: spent }];
}

/** Writes what was kept back, and lets the rest of the call go straight through. */
export async function leaveToDatabase(call: CodeCall): Promise<void> {
  if (call.isDirect) return;
  call.isDirect = true;
  // What goes straight through cannot be taken back.
  call.isDecisive = true;
  await endCodeCall(call);
}

async function send(db: Db, [first, ...rest]: Part[]): Promise<void> {
  if (!first) return;
  const results: unknown[] = await db.batch([
    first.statement,
    ...rest.map(({ statement }) => statement),
  ]);
  for (const [index, { receive }] of [first, ...rest].entries()) receive?.(results[index]);
}
